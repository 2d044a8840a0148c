import { useSyncExternalStore } from "react";
import type { Store } from "../store.js";

/** The store's value; renders again when it changes. */
export const useStore = <T>(store: Store<T>): T => useSyncExternalStore(store.subscribe, store.get);
