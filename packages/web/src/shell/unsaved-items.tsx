import { isOperator } from '@yarnboard/domain';
import { printable } from '@yarnboard/transcript';
import { CircleAlert, Info, X } from 'lucide-react';
import { Link } from 'wouter';
import { useActor, useLive, useUnsaved } from '../live/hooks.tsx';
import type { Unsaved } from '../live/queue-live.ts';
import { nameOf } from '../shared/names.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { FoldedText } from '../ui/folded-text.tsx';
import { Reference, withReferences } from '../ui/reference.tsx';
import './refused-commands.css';

/** PAGE-437: queued items that couldn't be saved, until dismissed; the user's own are shown with their text. */
export const UnsavedItems = () => {
  const { unsaved } = useLive();
  const all = useUnsaved();
  const mine = all.filter(({ isMine }) => isMine);
  const others = all.filter(({ isMine }) => !isMine);
  const drop = (gone: readonly Unsaved[]): void => unsaved.set(unsaved.get().filter((one) => !gone.includes(one)));
  return all.length === 0 ? null : (
    <div className="refused-commands">
      {mine.map((one) => (
        <Mine key={one.messageId} unsaved={one} onDismiss={() => drop([one])} />
      ))}
      {others.length === 0 ? null : <Others unsaved={others} onDismiss={() => drop(others)} />}
    </div>
  );
};

const Mine = ({ unsaved: { context, outcome, why, words }, onDismiss }: { readonly unsaved: Unsaved; readonly onDismiss: () => void }) => (
  <div className="banner banner-bad" role="alert">
    <CircleAlert aria-hidden />
    <div className="banner-text">
      {outcome === 'discarded'
        ? 'Something you sent while the log was unavailable was discarded'
        : 'Something you sent while the log was unavailable couldn’t be saved'}
      {context === null ? null : (
        <>
          {' '}
          in <Reference to={context} />
        </>
      )}
      {why === null ? '.' : <>: {withReferences(why)}.</>}
      {outcome === 'conflict' ? <Decide /> : null}
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

const Decide = () => {
  const actor = useActor();
  if (actor === null || !isOperator(actor)) return <> It’s kept for the operator to decide.</>;
  return (
    <>
      {' '}
      It’s kept: <Link href="/recovery">decide what happens to it</Link>.
    </>
  );
};

const Others = ({ unsaved, onDismiss }: { readonly unsaved: readonly Unsaved[]; readonly onDismiss: () => void }) => {
  const people = [...new Set(unsaved.flatMap(({ sender }) => (sender === null ? [] : [nameOf(sender)])))];
  return (
    <div className="banner banner-info" role="status">
      <Info aria-hidden />
      <div className="banner-text">
        {unsaved.length === 1 ? 'An item' : `${unsaved.length} items`} queued by {people.slice(0, MOST_NAMED).join(', ') || 'others'} couldn’t be
        saved.
      </div>
      <Button size="small" onClick={onDismiss}>
        Dismiss
      </Button>
    </div>
  );
};

const MOST_SHOWN = 300;
const MOST_NAMED = 3;
