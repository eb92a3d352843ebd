import type { Storage } from '../../../../core/ports/storage.ts'

/** Takes what this process knows for all that there is, as only a sole writer may: queries do not look for what others have written. */
export const readsNotFresh = ({ store, ...storage }: Storage): Storage => ({
  ...storage,
  store: { ...store, capabilities: { ...store.capabilities, soleWriter: true } },
})
