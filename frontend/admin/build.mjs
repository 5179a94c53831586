// Bundles GraphiQL into dist/graphiql/, from where Django's staticfiles collect it.

import { rm } from "node:fs/promises";

import { build } from "esbuild";

const OUT = "dist/graphiql";

await rm("dist", { recursive: true, force: true });

const common = {
  bundle: true,
  minify: true,
  legalComments: "linked",
  outdir: OUT,
  target: "es2022",
  define: { "process.env.NODE_ENV": '"production"' },
  logLevel: "warning",
};

await build({
  ...common,
  entryPoints: { graphiql: "src/graphiql.jsx", page: "src/page.css" },
  format: "esm",
  splitting: true,
  jsx: "automatic",
  loader: { ".ttf": "file" },
});

await build({
  ...common,
  entryPoints: {
    "editor.worker": "monaco-editor/esm/vs/editor/editor.worker.js",
    "json.worker": "monaco-editor/esm/vs/language/json/json.worker.js",
    "graphql.worker": "monaco-graphql/esm/graphql.worker.js",
  },
  format: "iife",
});
