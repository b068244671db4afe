import { Dialog } from '../ui/dialog.tsx';
import { Scroller } from '../ui/scroller.tsx';
import './keys-dialog.css';

/** PAGE-620: all keyboard shortcuts, grouped by where they work. */
export const KeysDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog isOpen onClose={onClose} title="Keyboard shortcuts" size="wide">
    <Scroller className="keys" label="Keys">
      {GROUPS.map(({ name, keys }) => (
        <section key={name} className="keys-group" aria-label={name}>
          <h3>{name}</h3>
          <dl>
            {keys.map(({ keys: pressed, does }) => (
              <div key={does} className="keys-row">
                <dt>
                  {pressed.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Scroller>
  </Dialog>
);

type Group = { readonly name: string; readonly keys: readonly { readonly keys: readonly string[]; readonly does: string }[] };

const GROUPS: readonly Group[] = [
  {
    name: 'Everywhere',
    keys: [
      { keys: ['Ctrl K', '/'], does: 'Search everything, go anywhere' },
      { keys: ['g n'], does: 'New session' },
      { keys: ['.'], does: 'Next thing that needs you' },
      { keys: ['Ctrl Enter'], does: 'Submit the form you’re in' },
      { keys: ['Esc'], does: 'Close a dialog, a menu or the panel' },
      { keys: ['?'], does: 'Show this list' },
    ],
  },
  {
    name: 'Session',
    keys: [
      { keys: ['j', 'k'], does: 'Next or previous message' },
      { keys: ['J', 'K'], does: 'Next or previous prompt' },
      { keys: ['<', '>'], does: 'Previous or next branch of the message in focus' },
      { keys: ['Home', 'End'], does: 'First or last message' },
      { keys: ['Enter'], does: 'Into the tool calls of a message' },
      { keys: ['Esc'], does: 'Back to the message, out of a sub-agent' },
      { keys: ['f'], does: 'Find in this session' },
      { keys: ['o'], does: 'Outline of prompts and tasks' },
      { keys: ['[', ']'], does: 'Previous or next sidebar of the session, in the panel' },
    ],
  },
  {
    name: 'Permissions',
    keys: [
      { keys: ['a'], does: 'Allow the request in focus' },
      { keys: ['e'], does: 'Change its input first' },
      { keys: ['d'], does: 'Deny it' },
    ],
  },
  {
    name: 'Scratchpad',
    keys: [
      { keys: ['j', 'k'], does: 'Next or previous finding' },
      { keys: ['c'], does: 'Confirm the finding in focus' },
      { keys: ['r'], does: 'Reject it' },
    ],
  },
  {
    name: 'Graph and yarn board',
    keys: [
      { keys: ['Arrows'], does: 'From card to card, open and fold in the outline' },
      { keys: ['Enter'], does: 'Go to the thing' },
      { keys: ['c'], does: 'Choose a card for a way (yarn board)' },
      { keys: ['t'], does: 'Trace from a card (yarn board)' },
    ],
  },
  {
    name: 'Recovery',
    keys: [
      { keys: ['y'], does: 'Replay the item in focus' },
      { keys: ['n'], does: 'Skip it' },
    ],
  },
];
