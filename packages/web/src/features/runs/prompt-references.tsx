import { cutText, findRefs } from '@yarnboard/domain';
import { Quote } from 'lucide-react';
import { useMemo } from 'react';
import { useAsk } from '../../live/hooks.tsx';
import { ReferenceGist, saidIn } from '../../shared/reference-gist.tsx';
import { TYPING_MS, useSettled } from '../../shared/settled.ts';
import { Button } from '../../ui/button.tsx';

export type PromptReferencesProps = { readonly text: string; readonly onChange: (text: string) => void };

/** PAGE-416: what the references in a prompt stand for. You can add their words to the prompt, because a session may know nothing of the board. */
export const PromptReferences = ({ text, onChange }: PromptReferencesProps) => {
  const settled = useSettled(text, TYPING_MS);
  const refs = useMemo(() => unquotedIn(settled), [settled]);
  if (refs.length === 0) return null;
  return (
    <ul className="composer-refs" aria-label="References in this prompt">
      {refs.map((ref) => (
        <Row key={ref} to={ref} onAdd={(words) => onChange(withWords(text, ref, words))} />
      ))}
    </ul>
  );
};

const Row = ({ to, onAdd }: { readonly to: string; readonly onAdd: (words: string) => void }) => {
  const { data } = useAsk('reference', { ref: to }, { staleMs: 60_000 });
  const words = data === undefined ? '' : saidIn(data).trim();
  return (
    <li>
      <ReferenceGist to={to} />
      {words === '' ? null : (
        <Button size="small" variant="quiet" icon={Quote} onClick={() => onAdd(words)}>
          Add its words
        </Button>
      )}
    </li>
  );
};

/** The first few references whose words are not in the text yet. */
export const unquotedIn = (text: string): readonly string[] => {
  const start = text.slice(0, MOST_LOOKED_AT);
  const refs = new Set(findRefs(start).map(({ from, to }) => start.slice(from, to)));
  return [...refs].filter((ref) => !text.includes(headOf(ref))).slice(0, MOST_SHOWN);
};

/** The text followed by the words of a reference, as a quotation. */
export const withWords = (text: string, ref: string, words: string): string => {
  const cut = words.length <= MOST_WORDS ? words : `${cutText(words, MOST_WORDS)}…`;
  return `${text.trimEnd()}${headOf(ref)}${cut.replaceAll('\n', '\n> ')}\n`;
};

const headOf = (ref: string): string => `\n\n${ref}:\n> `;

const MOST_LOOKED_AT = 20_000;
const MOST_SHOWN = 4;
const MOST_WORDS = 8000;
