import { Component, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useConnection } from '../live/hooks.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Page } from '../ui/page.tsx';
import { Failure } from '../ui/state.tsx';

type CaughtProps = {
  readonly place: string;
  /** The server was gone, and is there again. */
  readonly isBack: boolean;
  /** Whether it may load the page anew for what is missing. */
  readonly isView?: boolean;
  readonly renderFailure: (failure: ReactNode) => ReactNode;
  readonly children: ReactNode;
};
type State = { readonly error: Error | null; readonly place: string; readonly isBack: boolean };

/** React knows no other way than a class. */
class Caught extends Component<CaughtProps, State> {
  override state: State = { error: null, place: this.props.place, isBack: this.props.isBack };

  static getDerivedStateFromError(error: unknown): Pick<State, 'error'> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps({ place, isBack }: CaughtProps, state: State): State | null {
    if (place === state.place && isBack === state.isBack) return null;
    // PAGE-189: what broke while the server was gone is tried again when it is back.
    const isOver = place !== state.place || (isBack && !isMissing(state.error));
    return { error: isOver ? null : state.error, place, isBack };
  }

  override componentDidUpdate(_: CaughtProps, { error: before, isBack: wasBack }: State): void {
    const { error, isBack } = this.state;
    const isNews = error !== before || isBack !== wasBack;
    // A page that was loaded anew has not lost its server yet: what is missing for good does not make it load again and again.
    if (this.props.isView === true && isNews && isBack && isMissing(error)) location.reload();
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return this.props.renderFailure(
      isMissing(error) ? (
        // Whatever could not be loaded once is not asked for again by this page.
        <Failure
          title="A part of the page could not be loaded"
          error="The server is not there, or has another version now."
          onRetry={() => location.reload()}
        />
      ) : (
        <Failure title="Something here cannot be shown" error={error} onRetry={() => this.setState({ error: null })} />
      ),
    );
  }
}

/** How Chromium, Firefox, Safari and Vite say that a file of the page is not there. */
const NOT_LOADED = /dynamically imported module|importing a module script|unable to preload/iu;

const isMissing = (error: Error | null): boolean => error !== null && NOT_LOADED.test(error.message);

const useIsBack = (): boolean => {
  const isOpen = useConnection().kind === 'open';
  const [seen, setSeen] = useState({ isOpen, times: Number(isOpen) });
  if (seen.isOpen !== isOpen) setSeen({ isOpen, times: seen.times + Number(isOpen) });
  return isOpen && seen.times > 1;
};

/** PAGE-34: what goes wrong in a view stays there, and is gone with it: the rest of the page goes on. */
export const Boundary = ({ children }: { readonly children: ReactNode }) => {
  const [place] = useLocation();
  const isBack = useIsBack();
  return (
    <Caught place={place} isBack={isBack} isView renderFailure={(failure) => <Page title="This view broke">{failure}</Page>}>
      {children}
    </Caught>
  );
};

/** The same around what stands over the views. */
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
        <Dialog isOpen onClose={onClose} title={title}>
          {failure}
        </Dialog>
      )}
    >
      {children}
    </Caught>
  );
};

/** The same around what stands beside the views: it is as if it were not there. */
export const QuietBoundary = ({ children }: { readonly children: ReactNode }) => {
  const [place] = useLocation();
  const isBack = useIsBack();
  return (
    <Caught place={place} isBack={isBack} renderFailure={() => null}>
      {children}
    </Caught>
  );
};
