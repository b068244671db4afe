import { createContext, useContext } from 'react';

/** Whether what is drawn stands in the panel beside a view, and not in the middle of the page. */
const InPanelContext = createContext(false);

export const InPanelProvider = InPanelContext.Provider;
export const useIsInPanel = (): boolean => useContext(InPanelContext);
