import { useMemo, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { Scroller } from '../../ui/scroller.tsx';
import { TerminalText } from '../../ui/terminal-text.tsx';
import { countOf } from '../../ui/wording.ts';
import { useFoundTexts } from './flow-context.ts';
import { Json } from '../../shared/operation-input.tsx';
import { languageOf, unnumbered, type Returned } from '../../shared/operation-parts.ts';
import { PartImage } from './part-image.tsx';

type ResultProps = { readonly name: string; readonly file: string | null; readonly result: Returned; readonly isError: boolean };

/** PAGE-20: the result of an operation: terminal output, a file, text, images, or JSON. */
export const OperationResult = ({ name, file, result, isError }: ResultProps) => {
  const { text, images, others } = result;
  if (text === '' && images.length === 0 && others.length === 0) return <p className="operation-none">No output</p>;
  return (
    <div className={isError ? 'operation-result operation-result-bad' : 'operation-result'}>
      {text === '' ? null : <ResultText name={name} file={file} text={unwrapped(text)} isError={isError} />}
      {images.map((image, n) => (
        // Images have no ids, and their order never changes.
        // oxlint-disable-next-line react/no-array-index-key
        <PartImage key={n} image={image} label={`Image ${n + 1} of ${images.length}`} />
      ))}
      {others.map((json, n) => (
        // As above.
        // oxlint-disable-next-line react/no-array-index-key
        <Json key={n} value={json} />
      ))}
    </div>
  );
};

/** A result too long to show in full is wrapped in a tag that means nothing to people. */
const unwrapped = (text: string): string => text.replace(/^\s*<persisted-output>\n?/u, '').replace(/\n?<\/persisted-output>\s*$/u, '');

const ResultText = ({ name, file, text, isError }: Omit<ResultProps, 'result'> & { readonly text: string }) => {
  const [choice, setIsWhole] = useState<boolean | null>(null);
  const words = useFoundTexts();
  // Shows the whole text if a search hit lies beyond the first part.
  const isFoundBehind = useMemo(() => {
    const behind = text.slice(MOST_SHOWN / 2).toLowerCase();
    return words.some((word) => behind.includes(word));
  }, [text, words]);
  const isWhole = choice ?? isFoundBehind;
  const isCut = !isWhole && text.length > MOST_SHOWN;
  return (
    <>
      <ShownText name={name} file={file} text={isCut ? cutAtLine(text) : text} isError={isError} />
      {text.length > MOST_SHOWN ? (
        <div className="step-rest">
          <Button size="small" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? 'Show less' : `Show all ${countOf(text.length)} characters`}
          </Button>
        </div>
      ) : null}
    </>
  );
};

const ShownText = ({ name, file, text, isError }: Omit<ResultProps, 'result'> & { readonly text: string }) => {
  if (name === 'Read' && !isError) {
    const read = unnumbered(text);
    if (read !== null) return <Code text={read.text} language={languageOf(file)} label={`Lines from ${read.firstLine}`} />;
  }
  if (WORDS.has(name) && !isError) {
    return (
      <Scroller className="operation-prompt" label="Result">
        <Markdown text={text} />
      </Scroller>
    );
  }
  const json = jsonIn(text);
  return json === null ? <TerminalText text={text} label="Result" /> : <Code text={json} language="json" />;
};

/** JSON text, formatted; null for any other text. */
const jsonIn = (text: string): string | null => {
  if (!/^\s*[[{]/u.test(text) || text.length > MOST_SHOWN) return null;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return null;
  }
};

const cutAtLine = (text: string): string => {
  const end = text.lastIndexOf('\n', MOST_SHOWN);
  return text.slice(0, end > MOST_SHOWN / 2 ? end : MOST_SHOWN);
};

const WORDS = new Set(['Task', 'Agent', 'TaskOutput', 'WebFetch', 'WebSearch']);

const MOST_SHOWN = 8000;
