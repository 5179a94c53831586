// Bundles the editor of bodies and GraphiQL into dist/, from where Django's staticfiles collect them.

import { rm } from "node:fs/promises";

import { build } from "esbuild";

await rm("dist", { recursive: true, force: true });

const common = {
  bundle: true,
  minify: true,
  legalComments: "linked",
  target: "es2022",
  define: { "process.env.NODE_ENV": '"production"' },
  logLevel: "warning",
};

await build({
  ...common,
  outdir: "dist/editor",
  entryPoints: { editor: "src/editor/editor.js", style: "src/editor/editor.css" },
  format: "iife",
});

await build({
  ...common,
  outdir: "dist/graphiql",
  entryPoints: { graphiql: "src/graphiql.jsx", page: "src/page.css" },
  format: "esm",
  splitting: true,
  jsx: "automatic",
  loader: { ".ttf": "file" },
});

await build({
  ...common,
  outdir: "dist/graphiql",
  entryPoints: {
    "editor.worker": "monaco-editor/esm/vs/editor/editor.worker.js",
    "json.worker": "monaco-editor/esm/vs/language/json/json.worker.js",
    "graphql.worker": "monaco-graphql/esm/graphql.worker.js",
  },
  format: "iife",
});
