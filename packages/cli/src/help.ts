import { SESSION_TOOLS } from '@yarnboard/protocol';
import { Refusal } from './refusal.ts';

export const HELP = `yarnboard: your coding agents' sessions on a permanent, searchable log

  yarnboard [start]                  import your sessions, follow them, serve them on http://127.0.0.1:4747
  yarnboard open                     open the page in your browser, signed in
  yarnboard status | stop            show what the server is doing; stop it
  yarnboard import [PATH…]           import transcripts once
  yarnboard search WORDS             search everything that was said: words, phrases, code, questions, typos included
  yarnboard trace REF                where something comes from, and what it led to
  yarnboard similar REF              find more like a message, finding, sidebar or GOLD

  yarnboard session VERB …           what a session changed, as diffs; what filled its context
  yarnboard usage VERB …             tokens and cost of any period, by model, project, session and tool
  yarnboard chat [SB-n]              talk in a sidebar
  yarnboard sidebar VERB …           conversations that branch off and rejoin: spawn, say, find, validate, merge, archive, fork
  yarnboard agent VERB …             agents with their own names and tokens, and your inbox
  yarnboard gold VERB …              GOLD waypoints: lessons that come back when the same symptoms appear
  yarnboard cite VERB …              citations of messages, lines of files, and outside sources
  yarnboard claim VERB …             what a sidebar inherited: confirmed, contradicted or unverified
  yarnboard memory VERB …            where something is remembered, how sure of it you are, and what is final
  yarnboard policy VERB …            what runs by itself: which claims machines check, what merges automatically

  yarnboard claude [ARGS…]           run your own claude, with its session followed live
  yarnboard hook --print-settings    settings that let any claude know what was merged into its session
  yarnboard mcp                      everything above for agents, as MCP tools

  yarnboard inspect [PATH…]          report on sessions without a database; --json for scripts
  yarnboard show SESSION-or-PATH     print a session as a conversation; also a sidebar (SB-n) or a message (MSG-n)
  yarnboard envelopes PATH           print a session as protocol envelopes, one per line

  yarnboard verify                   check the log's chain, payloads and signed checkpoints
  yarnboard doctor                   check versions, health, the log and the library
  yarnboard servers VERB …           the servers of a shared board, and who is connected to each
  yarnboard recover VERB …           what an outage or a crash left behind: show, replay, discard, export, resolve
  yarnboard backup [FILE]            copy the whole board; restore FILE puts it back
  yarnboard export --output FOLDER   write sessions as the files they came from
  yarnboard repair SESSION           back up, re-derive a session, append missing lines, verify
  yarnboard rebuild [SESSION]        rebuild the library and the search index from the log
  yarnboard forget REF --yes         delete an entry's content for good; its hash stays

  yarnboard completion bash          shell completion for bash, zsh and fish
  yarnboard help COMMAND             more about a command
  yarnboard --version

Data is in $YARNBOARD_HOME (default ~/.yarnboard). Claude Code's transcripts are read from $CLAUDE_CONFIG_DIR, ~/.claude and ~/.config/claude, other agents'
from where each of them keeps its own.
Exit codes: 0 done, 1 findings, 2 bad usage, 3 could not do it.
`;

const BOARD_OPTIONS = `  --db sqlite:PATH | postgres://…   use this database instead of the one in the home
  --demo                            use the demo board, which has its own home
`;

const PAGES: ReadonlyMap<string, string> = new Map([
  [
    'mcp',
    `yarnboard mcp [options]

Speaks MCP on standard input and output. Agents' programs start it, not people:

  claude mcp add yarnboard -- npx yarnboard mcp

Its tools cover every query and command that the token allows. Answers are cut to fit a small context; the tool \`continue\` returns the rest. It talks to the
home's running server, or opens the board for reading if there is none. Without a token it can only read, with known secrets masked. Set
$YARNBOARD_TOKEN to give it one: \`yarnboard agent add NAME\` creates an agent, which then takes part in sidebars under its own name:

  claude mcp add yarnboard -e YARNBOARD_TOKEN=… -- npx yarnboard mcp

The token in the home's operator.token is yours: anyone who has it can do what you can.

When its input ends, it answers everything already asked, then exits.

The running server also speaks MCP at http://127.0.0.1:4747/mcp; send the token as "Authorization: Bearer …".

${BOARD_OPTIONS}`,
  ],
  [
    'envelopes',
    `yarnboard envelopes SESSION-or-PATH [options]

Prints a session as protocol envelopes in chronological order, sub-agents included, one JSON object per line: turns, texts, thinking, tool calls and
results, sub-agents starting and stopping, files. The same session always gives the same envelopes with the same ids. SESSION is an id or its first
characters; PATH is a transcript, a folder with one session, or - for standard input.

  --wrapped         wrap each as {"content": {"type": "session", "data": …}}, as on the wire
  --everything      include what is not part of the conversation, as "service"
  --shadow          repeat every user text with role "session"
  --unfinished      leave open whatever is open at the end; otherwise it is closed as the last records suggest
  --dropped         finish with counts, by kind, of records that made no envelope (on standard error)
  --in FOLDER       look for SESSION in this folder
  --demo            look for SESSION in the demo sessions
  --reveal          show masked secrets
  --db sqlite:PATH | postgres://…   the board to ask for merges, instead of the one in the home
`,
  ],
  [
    'start',
    `yarnboard [start] [options]

Imports all transcripts it finds, oldest first, keeps following them, and serves the page and the API on http://127.0.0.1:4747 until Ctrl-C or
\`yarnboard stop\`. You can open the newest sessions right away, before older ones are imported. If interrupted, the next start picks up where it left off.

The page opens in your browser. With --no-open, or without a browser, the terminal shows a link instead. It works once, within ten minutes;
\`yarnboard open\` makes another.

If you have no sessions yet, press d when asked to open the demo board next to your own.

  --port N          another port; 0 picks a free one
  --no-open         do not open the browser
  --root FOLDER     also watch this folder (repeatable)
  --redis URL       the Redis through which servers of one board wake each other, such as redis://127.0.0.1:6379/0
${BOARD_OPTIONS}
The home's settings.json can contain, for example, {"exclude_projects": ["/home/me/secret"], "roots": ["/mnt/other/.claude"], "open_reading": true}.
With "embedding": {"kind": "ollama", "url": "http://127.0.0.1:11434", "model": "nomic-embed-text"}, search by meaning uses that model.
`,
  ],
  [
    'open',
    `yarnboard open [options]

Opens the running server's page in your browser and signs you in. The link works once, within ten minutes; after that the browser remembers you.
Without signing in, the page is read-only. If there is no screen, the link is printed: open it in a browser that reaches this machine's 127.0.0.1, for
example through \`ssh -L 4747:127.0.0.1:4747 HOST\`.

  --print           only print the link
${BOARD_OPTIONS}`,
  ],
  [
    'status',
    `yarnboard status [--json] [options]

Shows what this home's server is doing: address, state, entries, unreadable files. Exit code 1 if the server is not running.

${BOARD_OPTIONS}`,
  ],
  [
    'stop',
    `yarnboard stop [--in SECONDS | --now | --cancel] [options]

Stops this home's server once everything it has read is on the log. Everyone connected gets a 10-second warning.

  --in SECONDS      warn this long before, up to an hour
  --now             stop at once
  --cancel          cancel an announced stop
  --message TEXT    the text of the warning
${BOARD_OPTIONS}`,
  ],
  [
    'import',
    `yarnboard import [PATH…] [options]

Imports files, folders or whole homes of coding agents in chronological order; without a PATH, your own sessions. Nothing is added twice: earlier imports and
copies are recognised. If the server is running, it does the work.

  --json            print the counts as one JSON document
${BOARD_OPTIONS}`,
  ],
  [
    'search',
    `yarnboard search WORDS [options]

Searches prompts, replies, thinking, tool calls and their output, sub-agents included. It finds records with all the words, or else with most of them,
and you can ask in plain English. Quote "a phrase", exclude with -word, match a prefix with word*, and type code such as foo_bar.baz( as it is. Typos are
corrected. Exit code 1 if nothing is found.

  --mode words|semantic|hybrid      by words, by meaning, or both (default)
  --project P --session ID --agent ID --model NAME    only these
  --tool NAME                       only calls of this tool, such as Bash, or only sessions of this program
  --session-tool NAME               only sessions of this program; combines with --tool
  --actor human|agent|system        only what they said
  --since DATE --until DATE         only in this period
  --min-cost USD                    only responses that cost at least this much
  --errors                          only failures
  --standing                        leave out what was superseded or rejected
  --limit N --cursor C              page through the results
  --reveal                          show masked secrets
  --json                            print one JSON document
${BOARD_OPTIONS}`,
  ],
  [
    'trace',
    `yarnboard trace REF [options]

Shows what REF is connected with, both ways: what it answers, cites, rests on, used or wrote; what cites it, uses it or followed from it. REF is any reference (MSG-12,
SB-3, SCRATCH-3:FINDING-1, GOLD-2, AGENT-name), a UUID, a session ID or its first characters, a path or the end of one, an address, or a stretch such as
MSG-12..MSG-20. Exit code 1 if no path leads to --to.

  --back | --forward                only where it comes from | only what came of it
  --depth N                         how many strings to follow in a row, 1 to 6 (default 2)
  --kind KIND                       only these, such as cites or wrote; can be repeated
  --to REF                          the shortest paths to REF
  --since DATE --until DATE         only in this period
  --limit N --cursor C              how many nodes, at most 500; go on with the strings of REF
  --format tree|json|dot|mermaid    how to print it
${BOARD_OPTIONS}`,
  ],
  [
    'similar',
    `yarnboard similar REF [options]

Finds what was written elsewhere that means nearly the same as a message, finding, sidebar, citation or GOLD, nearest first. Works offline. Exit code 1 if
nothing is found.

  --standing                        leave out what was superseded or rejected
  --limit N                         how many (default 10)
  --json                            print one JSON document
${BOARD_OPTIONS}`,
  ],
  [
    'verify',
    `yarnboard verify [--json] [options]

Checks every log entry against its hash, every link of the chain, every payload, and the signed checkpoints kept outside the home. Detects anything
changed, removed or cut off, and names the first broken entry. Then it runs the database's own check and compares the library, search index, media and
references with the log. For each problem, it tells you what to do. Changes nothing. Exit code 1 if something is broken.

${BOARD_OPTIONS}`,
  ],
  [
    'doctor',
    `yarnboard doctor [--json] [--session ID] [options]

Checks versions, server, database, search index, the log's chain, and whether conversations are consistent (parents, tool pairs, order in time).
Exit code 1 if there is an error; warnings don't count.

${BOARD_OPTIONS}`,
  ],
  [
    'backup',
    `yarnboard backup [FILE] [--json] [options]

Writes a complete, consistent copy of the board, even while it is in use; by default to backups/ in the home. Never overwrites a file.

${BOARD_OPTIONS}`,
  ],
  [
    'restore',
    `yarnboard restore FILE [--json] [options]

Verifies a backup and replaces the board with it. The old board is moved aside. Stop the server first.

${BOARD_OPTIONS}`,
  ],
  [
    'export',
    `yarnboard export [SESSION…] --output FOLDER [options]

Writes sessions (all of them, unless you name some) as the files their agents wrote: transcripts, sub-agents, large outputs. Known secrets are masked.

  --reveal          write every byte as it was
  --json            print the counts as one JSON document
${BOARD_OPTIONS}`,
  ],
  [
    'rebuild',
    `yarnboard rebuild [SESSION] [--json] [options]

Discards the library and the search index (or one session's rows of the library) and rebuilds them from the log.

${BOARD_OPTIONS}`,
  ],
  [
    'repair',
    `yarnboard repair SESSION [--json] [options]

Backs up the board, re-derives the session's rows from the log, rereads its files, appends missing lines, and verifies.
Exit code 1 if something is still wrong.

${BOARD_OPTIONS}`,
  ],
  [
    'forget',
    `yarnboard forget REF --yes [--json] [options]

Deletes an entry's content for good. REF is MSG-n, an entry's uuid or a payload's hash. The entry and its hash stay, so the chain still verifies, and
the deletion is itself recorded on the log. Backups and the agents' own files are not touched.

${BOARD_OPTIONS}`,
  ],
  [
    'claude',
    `yarnboard claude [ARGS…]

Runs your own \`claude\` in this terminal with ARGS unchanged, and exits with its exit code. A hook tells Yarnboard which session it is in, even after
/clear, /resume or a fork, and Yarnboard closes the session's turn when Claude exits. While the server is running, Claude learns what was merged into its
session and which GOLD matches your prompts. Without a server it works too: the next \`yarnboard start\` catches up. You can move a session to a run and
back; while it is elsewhere, press Enter to take it back.

  YARNBOARD_CLAUDE  the program to run, if it is not the \`claude\` in PATH

\`yarnboard claude --help\` prints claude's own help.
`,
  ],
  [
    'hook',
    `yarnboard hook [LAUNCH-ID]
yarnboard hook --context
yarnboard hook --print-settings

Claude Code calls this when a session starts or ends in \`yarnboard claude\`. It records for the server what it reads on standard input. At the start of
a session and with every prompt, it prints what Claude should know: findings merged into the session since last time, and confirmed GOLD that matches
the prompt. It never fails and never holds Claude up: if the server isn't running or takes longer than a second, it prints nothing. Problems are logged
in launches/faults.log in the home.

  --context         only print what Claude should know, for sessions that \`yarnboard claude\` did not start
  --print-settings  print the JSON for Claude Code's settings (~/.claude/settings.json) that calls this hook
`,
  ],
  [
    'chat',
    `yarnboard chat [SB-n] [options]

Talk in a sidebar: shows where it branched off and the latest messages, then follows it. Whatever you type is sent. Without SB-n, it offers the latest
sidebar or spawns a new one. Without a terminal, it sends every line of standard input and exits; exit code 3 if something was refused.
Needs a running server.

  /find TEXT        submit a finding
  /status           show the sidebar
  /pause REASON     pause it
  /VERB …           any other verb of \`yarnboard sidebar\`, for this sidebar
  /help, /quit

${BOARD_OPTIONS}
If $YARNBOARD_TOKEN is set, you act as its owner.
`,
  ],
  [
    'completion',
    `yarnboard completion bash|zsh|fish

Prints a script that completes commands and verbs in your shell:

  bash   eval "$(yarnboard completion bash)"     in ~/.bashrc
  zsh    eval "$(yarnboard completion zsh)"      in ~/.zshrc, after compinit
  fish   yarnboard completion fish | source      in ~/.config/fish/config.fish
`,
  ],
  [
    'inspect',
    `yarnboard inspect [PATH…] [options]

Reads transcripts and reports on them. Changes nothing and needs no database. A PATH is a file, a folder, a whole ~/.claude, or - for standard input;
without one, it reads your own sessions.

  --json            print one JSON document (sessions, branches, sub-agents, tools, tokens, cost, every line accounted for)
  --demo            read the bundled demo sessions
  --prices FILE     a price table instead of the built-in one: {"date": "…", "models": {"<model>": {"input", "output", "cache_write_5m",
                    "cache_write_1h", "cache_read"}}}, in dollars per million tokens
  --all             list all sessions, not only the newest twenty
  --tool NAME       only this tool's sessions: ${SESSION_TOOLS}
  --threads N       number of reader threads (default: one per core if there is enough to read)
  --reveal          show masked secrets

Unreadable lines are listed and counted; they do not change the exit code.
`,
  ],
  [
    'show',
    `yarnboard show SESSION-or-PATH [options]
yarnboard show SB-n | MSG-n | EXCH-n [options]

Prints a session as a conversation: who said what, tools with their results, sub-agents where they were called, compactions where they happened, and
merged findings where their sidebars branched off. SESSION is an id or its first characters; PATH is a transcript, a sub-agent's file (prints only that
conversation), or - for standard input. Sessions are read from their files, imported or not, or from the board if the files are gone.

SB-n prints a sidebar with everything said in it; MSG-n and EXCH-n print a message, merged or not, and where it belongs.

  --format text|md|html|json      output format (default: text); html is a single self-contained file
  --branch UUID                   the branch through this record, instead of the active one
  --sidechains inline|after|none  sub-agents under their call, after the conversation, or not at all (default: inline)
  --all                           include what is on no branch, at the end
  --in PATH                       look for SESSION below this folder
  --demo                          look for SESSION in the demo sessions
  --db sqlite:PATH | postgres://… use this database instead of the one in the home
  --output FILE                   write to FILE instead of standard output
  --prices FILE                   as for inspect (json only)
  --reveal                        show masked secrets
`,
  ],
]);

export const helpFor = (verb: string): string => {
  const page = PAGES.get(verb);
  if (page === undefined) throw new Refusal(2, `unknown command "${verb}"; \`yarnboard help\` lists them`);
  return page;
};
