import { Refusal } from './refusal.ts';

export const HELP = `yarnboard: sessions of coding agents on a permanent, searchable log

  yarnboard [start]                  import your sessions, watch them, serve them on http://127.0.0.1:4747
  yarnboard open                     the page in your browser, where you may act as yourself
  yarnboard status | stop            what the server is doing; stop it
  yarnboard import [PATH…]           read transcripts onto the log, once
  yarnboard search WORDS             find words, phrases, code and misspelled words in everything that was said

  yarnboard chat [SB-n]              a sidebar as a conversation in the terminal
  yarnboard sidebar VERB …           conversations that branch off and rejoin: spawn, say, find, validate, merge, archive, fork
  yarnboard agent VERB …             who takes part: agents with names and tokens of their own, and what waits for you
  yarnboard gold VERB …              GOLD waypoints: what to remember when the same symptoms come again
  yarnboard cite VERB …              citations of messages, lines of files, things outside
  yarnboard claim VERB …             what a sidebar inherited: confirmed, contradicted or unverified
  yarnboard policy VERB …            what merges automatically, what is in the way, what came of it

  yarnboard claude [ARGS…]           your own claude, with the session it is in followed and streamed
  yarnboard hook --print-settings    the settings by which any claude is told what was merged into its session
  yarnboard mcp                      the same powers for agents, as tools over MCP

  yarnboard inspect [PATH…]          parse, link and count without a database: a report, or one JSON document
  yarnboard show SESSION-or-PATH     one session as a conversation; also a sidebar (SB-n) or a message (MSG-n)
  yarnboard envelopes PATH           one session as the session protocol tells it, one envelope a line

  yarnboard verify                   the log's chain, its payloads and signed checkpoints
  yarnboard doctor                   versions, health, the log, the rules of a sound library
  yarnboard backup [FILE]            a whole copy of the board; restore FILE puts it back
  yarnboard export --output FOLDER   sessions as the files they came from
  yarnboard repair SESSION           back up, derive a session again, append what is missing, verify
  yarnboard rebuild [SESSION]        derive the library and the index from the log again
  yarnboard forget REF --yes         drop what an entry says for good; its hash stays

  yarnboard completion bash          completion of commands for a shell: bash, zsh, fish
  yarnboard help COMMAND             more about a command
  yarnboard --version

Data lies in $YARNBOARD_HOME (default ~/.yarnboard). Transcripts are looked for in $CLAUDE_CONFIG_DIR, ~/.claude and ~/.config/claude.
Exit codes: 0 done, 1 findings, 2 bad usage, 3 could not do it.
`;

const PAGES: ReadonlyMap<string, string> = new Map([
  [
    'mcp',
    `yarnboard mcp [options]

Speaks MCP on standard input and output, for agents; whoever starts it is their program, not a person:

  claude mcp add yarnboard -- npx yarnboard mcp

Its tools have every query and command of the HTTP interface that the token allows. Answers are cut to fit a small context; the tool \`continue\` gives the
rest. It asks the running server of the home, else it opens the board for reading. Without a token it may only read, and known secrets are masked; what
needs a token is refused. $YARNBOARD_TOKEN gives it one. \`yarnboard agent add NAME\` makes one for an agent, which then takes part in sidebars under its
own name:

  claude mcp add yarnboard -e YARNBOARD_TOKEN=… -- npx yarnboard mcp

What is in operator.token of the home is yours: whoever has it may do what you may.

When its input ends, it answers what was asked before, and ends.

The running server speaks MCP, too, at http://127.0.0.1:4747/mcp, where the token is sent as "Authorization: Bearer …".

  --db sqlite:PATH | postgres://…   another database than the one in the home
  --demo                            the board of the demo set, which has a home of its own
`,
  ],
  [
    'envelopes',
    `yarnboard envelopes SESSION-or-PATH [options]

Prints a session as the session protocol tells it, sub-agents included, in order of time, one JSON envelope a line: turns, texts, thoughts, tool
calls and their results, sub-agents that start and stop, files. The same session always gives the same envelopes with the same ids. SESSION is an id
or its beginning; PATH a transcript, a folder with one session, or - for standard input.

  --wrapped         each as {"content": {"type": "session", "data": …}}, as it goes over the wire
  --everything      also what is no part of the conversation, as "service"
  --shadow          every user text a second time with role "session"
  --unfinished      leave open what is open at the end; else it is closed as the last records suggest
  --dropped         at the end, on standard error, what made no envelope: counts by kind
  --in FOLDER       where to look for SESSION
  --demo            look in the demo set
  --reveal          show secrets that are masked
  --db sqlite:PATH | postgres://…   the board to ask what was merged, instead of the one in the home
`,
  ],
  [
    'start',
    `yarnboard [start] [options]

Imports all transcripts it finds, oldest first, keeps watching them, and serves the page and the HTTP interface on http://127.0.0.1:4747 until Ctrl-C or
\`yarnboard stop\`. The newest sessions can be opened at once, before the older ones are in. Interrupted, it goes on where it stopped.

The page opens in your browser. Where there is none to open, and with --no-open, a terminal is shown a link to it, which lets you in once, within ten
minutes; \`yarnboard open\` makes another.

If you have no sessions yet, press d when it asks, and it opens the demo board beside your own.

  --port N          another port; 0 takes any free one
  --no-open         do not open the browser
  --root FOLDER     watch this folder, too (may be given several times)
  --db sqlite:PATH | postgres://…   another database than the one in the home
  --demo                            the board of the demo set, which has a home of its own

settings.json in the home may hold {"exclude_projects": ["/home/me/secret"], "roots": ["/mnt/other/.claude"], "open_reading": true}.
`,
  ],
  [
    'open',
    `yarnboard open [options]

Opens the page of the running server in your browser, by a link that lets you act there as yourself. It is good once, within ten minutes; the browser
then remembers you. Without it the page can be read. Where there is no screen, the link is printed: open it in a browser that reaches this machine's
127.0.0.1, for example through \`ssh -L 4747:127.0.0.1:4747 HOST\`.

  --print           only print the link
  --db sqlite:PATH | postgres://…   another database than the one in the home
  --demo                            the board of the demo set, which has a home of its own
`,
  ],
  [
    'status',
    `yarnboard status [--json] [options]

Says what the server of this home is doing: address, state, entries, files that cannot be read. Exit code 1 when none runs.

  --db sqlite:PATH | postgres://…   another database than the one in the home
  --demo                            the board of the demo set, which has a home of its own
`,
  ],
  [
    'stop',
    `yarnboard stop [--in SECONDS | --now | --cancel] [options]

Stops the server of this home after everything it has read is on the log. Whoever is connected, to the page or otherwise, is warned 10 seconds before.

  --in SECONDS      warns this long before, up to an hour
  --now             stops at once
  --cancel          calls off a stop that was announced
  --message TEXT    what the warning says
  --db sqlite:PATH | postgres://…   another database than the one in the home
  --demo                            the board of the demo set, which has a home of its own
`,
  ],
  [
    'import',
    `yarnboard import [PATH…] [options]

Reads files, folders or whole Claude Code homes onto the log, in order of time; without a PATH, your own sessions. Nothing is added twice: what
was imported before, or is a copy, is recognised. If a server runs, it does the work.

  --json            counts as one JSON document
  --db sqlite:PATH | postgres://…   another database than the one in the home
  --demo                            the board of the demo set, which has a home of its own
`,
  ],
  [
    'search',
    `yarnboard search WORDS [options]

Finds records that have all the words, or else most of them: in prompts, replies, thinking, tool calls, their output, and sub-agents. Ask in plain
words if you like. "a phrase" in quotes, -word to exclude, word* for a beginning; code such as foo_bar.baz( as it stands. Misspelled words are
corrected. Exit code 1 when nothing is found.

  --mode words|semantic|hybrid      by words, by meaning, or by both (the default, for questions in plain words)
  --project P --session ID --agent ID --tool NAME --model NAME    only there
  --actor human|agent|system        only what they said
  --since DATE --until DATE         only then
  --min-cost USD                    only responses that cost as much
  --errors                          only what failed
  --limit N --cursor C              pages
  --reveal                          show secrets that are masked
  --json                            one JSON document
  --db sqlite:PATH | postgres://…   another database than the one in the home
  --demo                            the board of the demo set, which has a home of its own
`,
  ],
  [
    'verify',
    `yarnboard verify [--json] [options]

Checks every entry of the log against its hash, every link of the chain, every payload, and the signed checkpoints that are kept outside the home:
what was changed, removed or cut off is noticed, and the first broken entry named. Then the database checks its own pages, and the library, the search
index, media and references are compared with what they were made from. Each damage is named with what to do. Changes nothing. Exit code 1 when
something is broken.

  --db sqlite:PATH | postgres://…   another database than the one in the home
  --demo                            the board of the demo set, which has a home of its own
`,
  ],
  [
    'doctor',
    `yarnboard doctor [--json] [--session ID] [options]

Versions, server, database, search index, the log's chain, and the rules of a sound conversation (parents, tool pairs, order in time).
Exit code 1 when there is an error; warnings do not count.

  --db sqlite:PATH | postgres://…   another database than the one in the home
  --demo                            the board of the demo set, which has a home of its own
`,
  ],
  [
    'backup',
    `yarnboard backup [FILE] [--json] [options]

Writes a whole, consistent copy of the board while others read and write; by default into backups/ of the home. Never overwrites a file.

  --db sqlite:PATH | postgres://…   another database than the one in the home
  --demo                            the board of the demo set, which has a home of its own
`,
  ],
  [
    'restore',
    `yarnboard restore FILE [--json] [options]

Verifies a backup and puts it in place of the board. What was there is moved aside. The server must not run.

  --db sqlite:PATH | postgres://…   another database than the one in the home
  --demo                            the board of the demo set, which has a home of its own
`,
  ],
  [
    'export',
    `yarnboard export [SESSION…] --output FOLDER [options]

Writes sessions (all, if none is named) as the files that Claude Code wrote: transcripts, sub-agents, large outputs. Known secrets are masked.

  --reveal          write every byte as it was
  --json            counts as one JSON document
  --db sqlite:PATH | postgres://…   another database than the one in the home
  --demo                            the board of the demo set, which has a home of its own
`,
  ],
  [
    'rebuild',
    `yarnboard rebuild [SESSION] [--json] [options]

Throws away the library and the search index, or the library's rows of one session, and derives them from the log again.

  --db sqlite:PATH | postgres://…   another database than the one in the home
  --demo                            the board of the demo set, which has a home of its own
`,
  ],
  [
    'repair',
    `yarnboard repair SESSION [--json] [options]

Backs up the board, derives the session's rows from the log again, reads its files from the start and appends lines that are missing, and verifies.
Exit code 1 when something is still wrong.

  --db sqlite:PATH | postgres://…   another database than the one in the home
  --demo                            the board of the demo set, which has a home of its own
`,
  ],
  [
    'forget',
    `yarnboard forget REF --yes [--json] [options]

Drops what an entry says for good: MSG-n, an entry's uuid, or a payload's hash. The entry and the hash stay, so the chain still verifies; an entry of
its own says that it was done. Backups and Claude Code's own files are not touched.

  --db sqlite:PATH | postgres://…   another database than the one in the home
  --demo                            the board of the demo set, which has a home of its own
`,
  ],
  [
    'claude',
    `yarnboard claude [ARGS…]

Starts your own \`claude\` with ARGS as they are, in this terminal, and ends with its exit code. Yarnboard hears from a hook which session it is in,
also after /clear, /resume and a fork, and closes the session's turn when it ends. While a server runs, Claude is told what was merged into its session,
and which GOLD waypoints deal with what it is asked. Works while no server runs: the next \`yarnboard start\` takes in
what happened. A session can be switched away from the terminal and back; while it is elsewhere, Enter takes it back.

  YARNBOARD_CLAUDE  the program to run, if it is not the \`claude\` in PATH

\`yarnboard claude --help\` is claude's own help.
`,
  ],
  [
    'hook',
    `yarnboard hook [LAUNCH-ID]
yarnboard hook --context
yarnboard hook --print-settings

What Claude Code calls when a session begins or ends in \`yarnboard claude\`: writes down what it is told on standard input, for the server. When a
session begins, and for every prompt, it prints what Claude should know: findings that were merged into the session since it was last told, and confirmed
GOLD waypoints that deal with the prompt. It never fails and never keeps anybody waiting: without a server, or when it does not answer within a second, it
prints nothing. What goes wrong is in launches/faults.log of the home.

  --context         only tell what Claude should know: for sessions that \`yarnboard claude\` did not start
  --print-settings  the JSON to paste into Claude Code's settings (~/.claude/settings.json), which calls it so
`,
  ],
  [
    'chat',
    `yarnboard chat [SB-n] [options]

A sidebar as a conversation: shows where it branched off and what was said last, then follows it. What you type is said. Without SB-n it offers the
latest sidebar, or spawns a new one. Without a terminal every line of standard input is said, then it ends; exit code 3 when something was refused.
Needs a running server.

  /find TEXT        submits a finding
  /status           shows the sidebar
  /pause REASON     pauses it
  /VERB …           any other verb of \`yarnboard sidebar\`, with the sidebar filled in
  /help, /quit

  --db sqlite:PATH | postgres://…   another database than the one in the home
  --demo                            the board of the demo set, which has a home of its own

$YARNBOARD_TOKEN, if it is set, says who you are.
`,
  ],
  [
    'completion',
    `yarnboard completion bash|zsh|fish

Prints what completes commands and their verbs in a shell:

  bash   eval "$(yarnboard completion bash)"     in ~/.bashrc
  zsh    eval "$(yarnboard completion zsh)"      in ~/.zshrc, behind compinit
  fish   yarnboard completion fish | source      in ~/.config/fish/config.fish
`,
  ],
  [
    'inspect',
    `yarnboard inspect [PATH…] [options]

Reads transcripts and reports on them; changes nothing and needs no database. A PATH is a file, a folder, a whole ~/.claude, or - for standard
input; without one, your own sessions are read.

  --json            one JSON document on standard output (sessions, branches, sub-agents, tools, tokens, cost, every line accounted for)
  --demo            read the set of sessions that comes with yarnboard
  --prices FILE     a price table instead of the built-in one: {"date": "…", "models": {"<model>": {"input", "output", "cache_write_5m",
                    "cache_write_1h", "cache_read"}}}, in dollars per million tokens
  --all             list all sessions, not only the newest twenty
  --tool NAME       only sessions of this tool: claude-code, codex, opencode, gemini, qwen, pi, copilot
  --threads N       how many threads read (default: one per core, where the sessions are large enough)
  --reveal          show secrets that are masked

Lines that cannot be read are listed and counted; they do not change the exit code.
`,
  ],
  [
    'show',
    `yarnboard show SESSION-or-PATH [options]
yarnboard show SB-n | MSG-n | EXCH-n [options]

Prints one session as a conversation: who said what, tools with their results, sub-agents where they were called, compactions where they
happened, and what sidebars merged, where they branched off. SESSION is an id or its first characters; PATH is a transcript, a sub-agent's file
(then only its conversation is told), or - for standard input. Sessions are read from their files, imported or not, and from the board where the
files are gone.

SB-n prints a sidebar with everything said in it; MSG-n and EXCH-n print what was merged, or any other message, with where it stands.

  --format text|md|html|json      how (default: text); html is one file that needs nothing else
  --branch UUID                   the branch that goes through this record, instead of the active one
  --sidechains inline|after|none  sub-agents under their call, after the conversation, or not at all (default: inline)
  --all                           also what is on no branch, after everything else
  --in PATH                       look for SESSION below this folder
  --demo                          look for SESSION in the set that comes with yarnboard
  --db sqlite:PATH | postgres://… another database than the one in the home
  --output FILE                   write to FILE instead of standard output
  --prices FILE                   as for inspect (json only)
  --reveal                        show secrets that are masked
`,
  ],
]);

export const helpFor = (verb: string): string => {
  const page = PAGES.get(verb);
  if (page === undefined) throw new Refusal(2, `there is no command "${verb}"; \`yarnboard help\` lists them`);
  return page;
};
