import { Refusal } from './refusal.ts';

export const HELP = `yarnboard: Claude Code sessions, read right

  yarnboard                          report on your sessions (on the demo set if there are none)
  yarnboard inspect [PATH…]          parse, link and count: a report, or one JSON document
  yarnboard show SESSION-or-PATH     one session as a conversation
  yarnboard help COMMAND             more about a command
  yarnboard --version

Transcripts are looked for in $CLAUDE_CONFIG_DIR, ~/.claude and ~/.config/claude.
Exit codes: 0 done, 1 findings, 2 bad usage, 3 could not do it.
`;

const PAGES: ReadonlyMap<string, string> = new Map([
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
  --threads N       how many threads read (default: one per core, where the sessions are large enough)

Lines that cannot be read are listed and counted; they do not change the exit code.
`,
  ],
  [
    'show',
    `yarnboard show SESSION-or-PATH [options]

Prints one session as a conversation: who said what, tools with their results, sub-agents where they were called, compactions where they
happened. SESSION is an id or its first characters; PATH is a transcript, a sub-agent's file (then only its conversation is told), or - for
standard input.

  --format text|md|html|json      how (default: text); html is one file that needs nothing else
  --branch UUID                   the branch that goes through this record, instead of the active one
  --sidechains inline|after|none  sub-agents under their call, after the conversation, or not at all (default: inline)
  --in PATH                       look for SESSION below this folder
  --demo                          look for SESSION in the set that comes with yarnboard
  --output FILE                   write to FILE instead of standard output
  --prices FILE                   as for inspect (json only)
`,
  ],
]);

export const helpFor = (verb: string): string => {
  const page = PAGES.get(verb);
  if (page === undefined) throw new Refusal(2, `there is no command "${verb}"; \`yarnboard help\` lists them`);
  return page;
};
