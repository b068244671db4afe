import { Braces, Download, FileCode2, FileText, type LucideIcon } from 'lucide-react';
import { Dialog } from '../../ui/dialog.tsx';

type ExportDialogProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly sessionId: string;
  /** A record of the branch to export; null for the current branch. */
  readonly through: string | null;
};

/** PAGE-203: downloads a session as a file. The browser writes it as it streams in, however long it is. */
export const ExportDialog = ({ isOpen, onClose, sessionId, through }: ExportDialogProps) => (
  <Dialog
    isOpen={isOpen}
    onClose={onClose}
    title="Export session"
    description="Download the conversation with its sub-agents. Known secrets are masked, as on this page."
  >
    <ul className="session-exports">
      {FORMATS.map(({ format, name, about, icon: Icon }) => (
        <li key={format}>
          <a className="session-export" href={pathOf(sessionId, format, through)} download onClick={onClose}>
            <Icon aria-hidden />
            <span className="session-export-words">
              <strong>{name}</strong>
              <span className="small soft">{about}</span>
            </span>
            <Download aria-hidden />
          </a>
        </li>
      ))}
    </ul>
  </Dialog>
);

const pathOf = (sessionId: string, format: string, through: string | null): string => {
  const wish = new URLSearchParams({ format, ...(through === null ? {} : { through }) });
  return `/downloads/sessions/${encodeURIComponent(sessionId)}?${wish.toString()}`;
};

const FORMATS: readonly { readonly format: string; readonly name: string; readonly about: string; readonly icon: LucideIcon }[] = [
  { format: 'html', name: 'Web page', about: 'One file to read in any browser, also offline', icon: FileCode2 },
  { format: 'md', name: 'Markdown', about: 'For notes, issues and wikis', icon: FileText },
  { format: 'json', name: 'JSON', about: 'For scripts: every message with tokens and cost', icon: Braces },
];
