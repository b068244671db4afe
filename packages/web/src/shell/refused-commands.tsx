import { sidebarOf } from '@yarnboard/domain';
import { printable } from '@yarnboard/transcript';
import { CircleAlert, X } from 'lucide-react';
import type { RefusedCommand } from '../live/commands.ts';
import { useBoard, useLive, useRefused } from '../live/hooks.tsx';
import { isKeptCommand, keptLookOf } from '../live/kept-commands.ts';
import { IconButton } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { FoldedText } from '../ui/folded-text.tsx';
import { Moment } from '../ui/moment.tsx';
import { Reference, withReferences } from '../ui/reference.tsx';
import './refused-commands.css';

/** PAGE-142: commands sent before a reload and refused since, each with the reason and its text, until dismissed. */
export const RefusedCommands = () => {
  const { refused } = useLive();
  const all = useRefused();
  return all.length === 0 ? null : (
    <div className="refused-commands">
      {all.map((command) => (
        <Refused
          key={command.messageId}
          command={command}
          onDismiss={() => refused.set(refused.get().filter(({ messageId }) => messageId !== command.messageId))}
        />
      ))}
    </div>
  );
};

const Refused = ({ command: { name, input, at, why }, onDismiss }: { readonly command: RefusedCommand; readonly onDismiss: () => void }) => {
  const { what, text } = isKeptCommand(name) ? keptLookOf(name) : { what: name, text: null };
  const words = text === null ? null : wordsIn(input, text);
  const where = wordsIn(input, 'sidebar_id') ?? wordsIn(input, 'parent_sidebar_id') ?? wordsIn(input, 'original_sidebar_id');
  const ref = useBoard((board) => (where === null ? null : (sidebarOf(board, where)?.ref ?? null)), [where]);
  return (
    <div className="banner banner-bad" role="alert">
      <CircleAlert aria-hidden />
      <div className="banner-text">
        Couldn’t save {what}
        {ref === null ? null : (
          <>
            {' '}
            in <Reference to={ref} />
          </>
        )}
        {' ('}
        <Moment at={at} />, before you reloaded the page): {withReferences(why)}
        {words === null ? null : (
          <div className="refused-words">
            <FoldedText text={words} most={MOST_SHOWN}>
              {(shown) => <p>{printable(shown)}</p>}
            </FoldedText>
          </div>
        )}
      </div>
      {words === null ? null : <CopyButton text={words} label="Copy your text" />}
      <IconButton icon={X} label="Dismiss" size="small" onClick={onDismiss} />
    </div>
  );
};

const wordsIn = (input: RefusedCommand['input'], key: string): string | null => {
  const value = input[key];
  return typeof value === 'string' && value !== '' ? value : null;
};

const MOST_SHOWN = 300;
