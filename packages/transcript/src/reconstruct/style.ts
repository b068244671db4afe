/** The style of an exported page: one type scale, one palette for light and dark, nothing loaded from anywhere. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1d2129;--soft:#5b6472;--line:#dfe3e8;--paper:#fff;--raised:#f6f7f9;--human:#2f5fd0;--claude:#b4541f;--agent:#7a3fb5;--tool:#3d6b4f;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--ink:#e4e7ec;--soft:#9aa4b2;--line:#2c333d;--paper:#14171c;--raised:#1b1f26;--human:#8fb0ff;--claude:#f0a377;--agent:#c9a2f5;--tool:#8fc7a5;--bad:#ff8a80}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:2rem 1.25rem 4rem;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
header{border-bottom:1px solid var(--line);margin-bottom:1.5rem;padding-bottom:1rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .5rem}
header p{color:var(--soft);font-size:.875rem;margin:.125rem 0}
article{border-left:3px solid var(--line);margin:1rem 0;padding:.125rem 0 .125rem 1rem}
article.continues{margin-top:-1rem}
article.human{border-color:var(--human)}article.claude{border-color:var(--claude)}article.agent{border-color:var(--agent)}article.tool{border-color:var(--tool)}article.merged{border-color:var(--tool)}
h2{font-size:.875rem;font-weight:600;margin:0 0 .25rem}
.human>h2{color:var(--human)}.claude>h2{color:var(--claude)}.agent>h2{color:var(--agent)}.tool>h2{color:var(--tool)}.system>h2{color:var(--soft)}
time,.to,.role{color:var(--soft);font-weight:400;font-size:.8125rem}
.typed{white-space:pre-wrap}
.markdown>*:first-child{margin-top:0}.markdown>*:last-child{margin-bottom:0}
.markdown h1,.markdown h2,.markdown h3,.markdown h4{font-size:1rem;color:inherit;margin:1rem 0 .5rem}
.markdown table{border-collapse:collapse;display:block;overflow-x:auto}.markdown th,.markdown td{border:1px solid var(--line);padding:.25rem .5rem;text-align:left}
.markdown a{color:var(--human)}
pre,code{font:.8125rem/1.5 ui-monospace,monospace}
pre{background:var(--raised);border-radius:6px;margin:.5rem 0;max-height:32rem;overflow:auto;padding:.75rem;white-space:pre-wrap}
code{background:var(--raised);border-radius:4px;padding:.1em .3em}pre code{background:none;padding:0}
details{margin:.375rem 0}
summary{color:var(--soft);cursor:pointer;font-size:.875rem;overflow:hidden;text-overflow:ellipsis}
summary:focus-visible{outline:2px solid var(--human);outline-offset:2px}
.error>summary{color:var(--bad)}
details.sidechain{background:color-mix(in srgb,var(--agent) 5%,transparent);border:1px solid var(--line);border-radius:8px;margin:1rem 0 1rem 1rem;padding:.5rem 1rem}
details.sidechain>summary{color:var(--agent);font-weight:600}
.incomplete>summary,.orphaned>summary{color:var(--bad)!important}
.end{color:var(--soft);font-size:.8125rem;margin:.5rem 0 .25rem}
.compaction{align-items:center;color:var(--soft);display:flex;font-size:.8125rem;gap:1rem;margin:2rem 0}
.compaction::before,.compaction::after{background:var(--line);content:"";flex:1;height:1px}
.compaction span{max-width:70%;text-align:center}
img{display:block;height:auto;margin:.5rem 0;max-width:100%}
footer{border-top:1px solid var(--line);color:var(--soft);font-size:.8125rem;margin-top:2rem;padding-top:1rem}
`.trim();
