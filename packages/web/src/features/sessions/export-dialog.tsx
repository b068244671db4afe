import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

type ExportDialogProps = { readonly isOpen: boolean; readonly onClose: () => void; readonly sessionId: string };

/** How a session becomes a file: the terminal writes it, where it belongs. */
export const ExportDialog = ({ isOpen, onClose, sessionId }: ExportDialogProps) => (
  <Dialog isOpen={isOpen} onClose={onClose} title="Export session" description="Run one of these commands in a terminal.">
    <dl className="session-exports">
      {FORMS.map(({ name, end, format }) => {
        const command = `yarnboard show ${sessionId} --format ${format} --output session.${end}`;
        return (
          <div key={format}>
            <dt>{name}</dt>
            <dd>
              <code>{command}</code>
              <CopyButton text={command} label={`Copy ${name} command`} />
            </dd>
          </div>
        );
      })}
    </dl>
  </Dialog>
);

const FORMS = [
  { name: 'Standalone web page', end: 'html', format: 'html' },
  { name: 'Markdown', end: 'md', format: 'md' },
  { name: 'JSON', end: 'json', format: 'json' },
] as const;
