import { printable } from '@yarnboard/transcript';
import Anser from 'anser';
import { memo, useMemo } from 'react';
import { Scroller } from './scroller.tsx';
import './terminal-text.css';

/** Terminal output: colours mapped to the theme, all other codes made visible or dropped. None is executed. */
export const TerminalText = memo(({ text, label = 'Output' }: { readonly text: string; readonly label?: string }) => {
  const runs = useMemo(() => terminalRuns(text), [text]);
  return (
    <Scroller className="terminal-text" label={label}>
      <pre>
        {runs.map(({ text: part, look }, n) =>
          look === '' ? (
            part
          ) : (
            // Runs have no ids, and are never reordered.
            // oxlint-disable-next-line react/no-array-index-key
            <span key={n} className={look}>
              {part}
            </span>
          ),
        )}
      </pre>
    </Scroller>
  );
});

export type TerminalRun = { readonly text: string; /** Class names; empty for plain text. */ readonly look: string };

/** PAGE-3: splits a text with escape codes into runs of the same style. */
export const terminalRuns = (text: string): readonly TerminalRun[] => {
  const still = overwritten(text.replace(COMMANDS, '').replace(LEFT, ''));
  const codes = still.match(COLOURS)?.length ?? 0;
  if (codes === 0 || codes > MOST_CODES) return [{ text: printable(still.replace(COLOURS, '')), look: '' }];
  const runs = Anser.ansiToJson(still, { use_classes: true, remove_empty: true });
  const joined: TerminalRun[] = [];
  for (const { content, fg, bg, decorations } of runs) {
    const look = [colourClass(fg, 'ink'), colourClass(bg, 'ground'), ...new Set(decorations.map((name) => `terminal-${name}`))]
      .filter((name) => name !== null)
      .join(' ');
    const last = joined.at(-1);
    if (last !== undefined && last.look === look) joined[joined.length - 1] = { look, text: last.text + printable(content) };
    else joined.push({ look, text: printable(content) });
  }
  return joined;
};

const colourClass = (name: string | null, place: 'ink' | 'ground'): string | null => {
  const colour = name?.replace(/^ansi-(?:bright-)?/u, '') ?? '';
  return COLOUR_NAMES.has(colour) ? `terminal-${place}-${colour}` : null;
};

/** A line overwritten after a carriage return shows the last version, as with a progress bar. */
const overwritten = (text: string): string =>
  text.includes('\r')
    ? text
        .split('\n')
        .map((line) => line.replace(/\r+$/u, '').split('\r').at(-1) ?? '')
        .join('\n')
    : text;

const COLOUR_NAMES = new Set(['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']);

// More codes than words: not worth a span each.
const MOST_CODES = 5000;

/* oxlint-disable no-control-regex -- escape codes are what this is about */
// Titles, links and other messages to the terminal, up to their end; then single-character codes and character set selection.
const COMMANDS = /\u001b[\]PX^_][^\u0007\u001b\n]{0,4096}(?:\u0007|\u001b\\)?|\u001b[()*+][A-Z0-9]|\u001b[=>78cDEHMNOZ]/gu;
// Cursor movement, erasing and modes: everything except colours.
const LEFT = /\u001b\[[\u0030-\u003f]{0,64}[\u0020-\u002f]{0,8}[\u0040-\u006c\u006e-\u007e]/gu;
const COLOURS = /\u001b\[[\d;:]{0,64}m/gu;
/* oxlint-enable no-control-regex */
