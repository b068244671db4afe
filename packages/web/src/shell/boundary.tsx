import { X } from 'lucide-react';
import { Component, useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useConnection } from '../live/hooks.tsx';
import { IconButton } from '../ui/button.tsx';
import '../ui/dialog.css';
import { Page } from '../ui/page.tsx';
import { Failure } from '../ui/state.tsx';

type CaughtProps = {
  readonly place: string;
  /** The connection was lost and is back. */
  readonly isBack: boolean;
  /** Whether it may reload the page to get missing code. */
  readonly isView?: boolean;
  readonly renderFailure: (failure: ReactNode) => ReactNode;
  readonly children: ReactNode;
};
type State = { readonly error: Error | null; readonly place: string; readonly isBack: boolean };

/** React offers error boundaries only as classes. */
class Caught extends Component<CaughtProps, State> {
  override state: State = { error: null, place: this.props.place, isBack: this.props.isBack };

  static getDerivedStateFromError(error: unknown): Pick<State, 'error'> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps({ place, isBack }: CaughtProps, state: State): State | null {
    if (place === state.place && isBack === state.isBack) return null;
    // PAGE-189: a view that broke while the server was away is retried when it is back.
    const isOver = place !== state.place || (isBack && !isMissing(state.error));
    return { error: isOver ? null : state.error, place, isBack };
  }

  override componentDidUpdate(_: CaughtProps, { error: before, isBack: wasBack }: State): void {
    const { error, isBack } = this.state;
    const isNews = error !== before || isBack !== wasBack;
    // A freshly loaded page has not lost its server yet, so code that is missing for good does not cause endless reloads.
    if (this.props.isView === true && isNews && isBack && isMissing(error)) location.reload();
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return this.props.renderFailure(
      isMissing(error) ? (
        // The browser does not request a failed module again within the same page.
        <Failure title="Couldn’t load this part of the page" error="The server is offline or was updated." onRetry={() => location.reload()} />
      ) : (
        <Failure title="Something went wrong here" error={error} onRetry={() => this.setState({ error: null })} />
      ),
    );
  }
}

/** What Chromium, Firefox, Safari and Vite say if a file of the page is missing. */
const NOT_LOADED = /dynamically imported module|importing a module script|unable to preload/iu;

const isMissing = (error: Error | null): boolean => error !== null && NOT_LOADED.test(error.message);

const useIsBack = (): boolean => {
  const isOpen = useConnection().kind === 'open';
  const [seen, setSeen] = useState({ isOpen, times: Number(isOpen) });
  if (seen.isOpen !== isOpen) setSeen({ isOpen, times: seen.times + Number(isOpen) });
  return isOpen && seen.times > 1;
};

/** PAGE-34: a failing view fails alone: the rest of the page keeps working. */
export const Boundary = ({ children }: { readonly children: ReactNode }) => {
  const [place] = useLocation();
  const isBack = useIsBack();
  return (
    <Caught place={place} isBack={isBack} isView renderFailure={(failure) => <Page title="Something went wrong">{failure}</Page>}>
      {children}
    </Caught>
  );
};

/** The same for dialogs on top of the views. */
export const DialogBoundary = ({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) => {
  const [place] = useLocation();
  const isBack = useIsBack();
  return (
    <Caught
      place={place}
      isBack={isBack}
      renderFailure={(failure) => (
        <FailureDialog title={title} onClose={onClose}>
          {failure}
        </FailureDialog>
      )}
    >
      {children}
    </Caught>
  );
};

/** A native dialog, because the code of our own dialogs may be what failed to load. */
const FailureDialog = ({ title, onClose, children }: { readonly title: string; readonly onClose: () => void; readonly children: ReactNode }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="dialog dialog-normal" aria-labelledby={heading} onClose={onClose}>
      <header className="dialog-head">
        <h2 id={heading} className="dialog-title">
          {title}
        </h2>
        <IconButton icon={X} label="Close" size="small" onClick={() => dialog.current?.close()} />
      </header>
      <div className="dialog-body">{children}</div>
    </dialog>
  );
};

/** The same for components that run beside the views: one that fails is left out. */
export const QuietBoundary = ({ children }: { readonly children: ReactNode }) => {
  const [place] = useLocation();
  const isBack = useIsBack();
  return (
    <Caught place={place} isBack={isBack} renderFailure={() => null}>
      {children}
    </Caught>
  );
};
