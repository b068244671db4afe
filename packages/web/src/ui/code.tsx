import { printable } from '@yarnboard/transcript';
import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { memo, useMemo } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import './code.css';
import { CopyButton } from './copy-button.tsx';
import { Scroller } from './scroller.tsx';
import { useReading } from './text-reading.tsx';

/** Code that scrolls inside, highlighted if its language is known and it isn't too long. */
export const Code = memo(({ text, language = '', label }: { readonly text: string; readonly language?: string; readonly label?: string }) => {
  const name = language.toLowerCase();
  const reading = useReading(name === '' || PLAIN.has(name) || text.length > MOST_HIGHLIGHTED ? null : { kind: 'code', text, language: name });
  const shown = useMemo(
    () => (reading === null || reading === 'as-it-is' ? printable(text) : toJsxRuntime(reading as never, { Fragment, jsx, jsxs })), // its nodes, without positions
    [reading, text],
  );
  return (
    <div className="code">
      <Scroller className="code-scroll" label={label ?? (name === '' ? 'Code' : `Code, ${name}`)}>
        <pre className="code-text">
          <code>{shown}</code>
        </pre>
      </Scroller>
      <div className="code-tools">
        <CopyButton text={text} label="Copy code" />
      </div>
    </div>
  );
});

const PLAIN = new Set(['text', 'txt', 'plain', 'plaintext', 'console', 'output']);

/** PAGE-7 */
const MOST_HIGHLIGHTED = 30_000;
