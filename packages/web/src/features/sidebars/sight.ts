/** What the user has seen of a sidebar: up to which position, and whether it has changed since. */
export type Sight = { readonly seen: number; readonly isNewer: boolean; readonly look: (seq: number) => void };
