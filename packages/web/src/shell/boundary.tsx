import { Component, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Dialog } from '../ui/dialog.tsx';
import { Page } from '../ui/page.tsx';
import { Failure } from '../ui/state.tsx';

type CaughtProps = { readonly place: string; readonly renderFailure: (failure: ReactNode) => ReactNode; readonly children: ReactNode };
type State = { readonly error: Error | null; readonly place: string };

/** React knows no other way than a class. */
class Caught extends Component<CaughtProps, State> {
  override state: State = { error: null, place: this.props.place };

  static getDerivedStateFromError(error: unknown): Pick<State, 'error'> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps({ place }: CaughtProps, state: State): State | null {
    return place === state.place ? null : { error: null, place };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return this.props.renderFailure(
      NOT_LOADED.test(error.message) ? (
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

/** PAGE-34: what goes wrong in a view stays there, and is gone with it: the rest of the page goes on. */
export const Boundary = ({ children }: { readonly children: ReactNode }) => {
  const [place] = useLocation();
  return (
    <Caught place={place} renderFailure={(failure) => <Page title="This view broke">{failure}</Page>}>
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
  return (
    <Caught
      place={place}
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
  return (
    <Caught place={place} renderFailure={() => null}>
      {children}
    </Caught>
  );
};
