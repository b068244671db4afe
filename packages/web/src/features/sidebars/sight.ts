/** What whoever acts has seen of a sidebar: up to which position, and whether something happened since. */
export type Sight = { readonly seen: number; readonly isNewer: boolean; readonly look: (seq: number) => void };
