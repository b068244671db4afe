import { createContext, useContext } from 'react';

/** Whether a component is rendered in the panel beside a view, rather than in the main area. */
const InPanelContext = createContext(false);

export const InPanelProvider = InPanelContext.Provider;
export const useIsInPanel = (): boolean => useContext(InPanelContext);
