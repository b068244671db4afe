import type { Answer } from '../../operations/request/answer.ts';

/** SRV-12: the response at / if the page isn't built: what is running, and where to go. */
export const frontPage = (status: Awaited<Answer<'status'>>): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Yarnboard</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; }
  dt { font-weight: 600; } dd { margin: 0 0 .5rem; } code { font-size: .9em; overflow-wrap: anywhere; }
</style>
<h1>Yarnboard ${escaped(status.version)} is running</h1>
<dl>
  <dt>State</dt><dd>${escaped(stateLine(status))}</dd>
  <dt>On the log</dt><dd>${status.entries.toLocaleString('en')} entries, ${status.indexed >= status.entries ? 'all' : status.indexed.toLocaleString('en')} searchable</dd>
  <dt>Home</dt><dd><code>${escaped(status.home)}</code></dd>
</dl>
<p>The page is not built here: <code>npm run build</code> makes it, then start the server again.</p>
<p>Ask it with <code>curl</code> or any HTTP client: <a href="/api/v1/sessions">/api/v1/sessions</a>, <a href="/api/v1/stats">/api/v1/stats</a>,
<a href="/api/v1/status">/api/v1/status</a>; <a href="/api/openapi.json">/api/openapi.json</a> describes everything.</p>
</html>
`;

const stateLine = ({ state, why, progress, pendingSessions }: Awaited<Answer<'status'>>): string => {
  if (why !== null) return `${state}: ${why}`;
  if (state !== 'importing' || progress === null || progress.allBytes === 0) return state;
  return `importing, ${Math.floor((progress.doneBytes / progress.allBytes) * 100)} % (${pendingSessions} sessions wait; they can be opened already)`;
};

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
