import type { Storage } from '../../../core/ports/storage.ts'

/** The store as one of several writers has it: nobody may take what it knows for all that there is, nor close it alone. */
export const shared = (storage: Storage): Storage => {
  const { store, readModels } = storage
  const close = (): Promise<void> => Promise.resolve()
  return {
    ...storage,
    store: { ...store, capabilities: { ...store.capabilities, soleWriter: false }, close },
    readModels: { ...readModels, close },
  }
}
