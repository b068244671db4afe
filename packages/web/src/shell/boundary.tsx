import { Component, type ReactNode } from 'react';
import { Page } from '../ui/page.tsx';
import { Failure } from '../ui/state.tsx';

type State = { readonly error: Error | null };

/** What goes wrong in a view stays there: the rest of the page goes on. React knows no other way than a class. */
export class Boundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <Page title="This view broke">
        <Failure title="Something here cannot be shown" error={error} onRetry={() => this.setState({ error: null })} />
      </Page>
    );
  }
}
