import { printableLine } from '@yarnboard/transcript';
import { TriangleAlert } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { nameOf } from '../../shared/names.ts';

type TokenOnceProps = {
  readonly agentId: string;
  readonly token: string;
  readonly kind: 'agent' | 'human';
  /** What else to know about the token. */
  readonly notes: readonly string[];
  readonly onClose: () => void;
};

/** PAGE-59, PAGE-179: shows a token once and never again: the server keeps only its hash. */
export const TokenOnce = ({ agentId, token, kind, notes, onClose }: TokenOnceProps) => (
  <Dialog
    isOpen
    onClose={onClose}
    size="wide"
    isFirm
    title={`Token for ${nameOf(agentId)}`}
    actions={
      <Button variant="primary" onClick={onClose}>
        Done
      </Button>
    }
  >
    <Notice tone="warn" icon={TriangleAlert}>
      Copy it now – you won’t see it again.
    </Notice>
    {notes.map((note) => (
      <Notice key={note}>{printableLine(note)}</Notice>
    ))}
    <Line name="Token" text={token} label="Copy token" />
    {kind === 'agent' ? (
      <Line name="Connect Claude Code (run in a terminal)" text={connectLine(location.origin, token)} label="Copy command" />
    ) : (
      <Line name="Chat from a terminal" text={`YARNBOARD_TOKEN=${token} npx yarnboard chat`} label="Copy command" />
    )}
  </Dialog>
);

const Line = ({ name, text, label }: { readonly name: string; readonly text: string; readonly label: string }) => (
  <div className="agent-token">
    <p className="field-label">{name}</p>
    <div className="agent-token-line">
      <code className="agent-token-text">{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  </div>
);

/** Run this once to connect Claude Code to this board as the agent. */
export const connectLine = (origin: string, token: string): string =>
  `claude mcp add --transport http yarnboard ${origin}/mcp --header "Authorization: Bearer ${token}"`;
