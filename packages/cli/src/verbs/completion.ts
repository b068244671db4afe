import type { ExitCode, Io } from '../io.ts';
import { Refusal } from '../refusal.ts';
import { groupsOf, verbsOf } from '../registry/verbs.ts';

/** `yarnboard completion bash|zsh|fish`: a script that completes commands and the registry's verbs in a shell. */
export const completion = async (args: readonly string[], io: Io, commands: readonly string[]): Promise<ExitCode> => {
  const [shell = ''] = args;
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell as keyof typeof SCRIPTS] : undefined; // looked up just before
  if (script === undefined || args.length > 1)
    throw new Refusal(2, `completion takes one of ${Object.keys(SCRIPTS).join(', ')}; not "${args.join(' ')}"`);
  await io.out(script([...commands, ...groupsOf()].sort()));
  return 0;
};

const groups = (): readonly (readonly [string, string])[] =>
  groupsOf().map((group) => [
    group,
    verbsOf(group)
      .map(({ word }) => word)
      .join(' '),
  ]);

const bash = (commands: readonly string[]): string => `_yarnboard() {
  local words=""
  if [ "$COMP_CWORD" -eq 1 ]; then words="${commands.join(' ')}"
  elif [ "$COMP_CWORD" -eq 2 ]; then
    case "\${COMP_WORDS[1]}" in
${groups()
  .map(([group, verbs]) => `      ${group}) words="${verbs}" ;;`)
  .join('\n')}
      help) words="${commands.join(' ')}" ;;
    esac
  fi
  [ -n "$words" ] && COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _yarnboard yarnboard
`;

const SCRIPTS = {
  bash,
  zsh: (commands: readonly string[]): string => `autoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`,
  fish: (commands: readonly string[]): string =>
    [
      `complete -c yarnboard -n __fish_use_subcommand -f -a "${commands.join(' ')}"`,
      ...groups().map(([group, verbs]) => `complete -c yarnboard -n "__fish_seen_subcommand_from ${group}" -f -a "${verbs}"`),
      '',
    ].join('\n'),
} as const;
