// GraphiQL on the endpoint that the page names: <div id="graphiql" data-url="/graphql/">.

import "graphiql/style.css";

import { GraphiQL } from "graphiql";
import { createRoot } from "react-dom/client";

const WORKERS = { json: "json.worker.js", graphql: "graphql.worker.js" };

// The editor does its work on other threads, in files that lie beside this one.
globalThis.MonacoEnvironment = {
  getWorker: (_, label) => new Worker(new URL(WORKERS[label] ?? "editor.worker.js", import.meta.url)),
};

const EXAMPLE = `# The newest articles. Ctrl-Enter runs the query,
# Ctrl-Space completes it, the book opens the schema.
{
  articles(first: 5) {
    edges {
      node {
        slug
        title
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
`;

const root = document.getElementById("graphiql");
const url = new URL(root.dataset.url, location.href);

async function fetcher(operation, { headers = {} } = {}) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json", ...headers },
    body: JSON.stringify(operation),
  });
  return response.json();
}

createRoot(root).render(<GraphiQL fetcher={fetcher} defaultQuery={EXAMPLE} />);
