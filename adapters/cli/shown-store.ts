import { shellWord } from './shell.ts'

/** Whether the log is on EventStoreDB or KurrentDB, so that everything else of the store is kept elsewhere. */
export const isEventStoreDb = (url: string): boolean => /^(?:esdb|kurrentdb)(?:\+discover)?:/i.test(url)

const isPostgres = (url: string): boolean => /^postgres(?:ql)?:/i.test(url)

/** Whether the URL of the store may have a password. */
const isSecret = (url: string): boolean => isPostgres(url) || isEventStoreDb(url)

/** The store for people to read, without any secret. */
export const shownStore = (url: string): string => {
  if (isEventStoreDb(url)) return 'a log on EventStoreDB'
  return isPostgres(url) ? 'a PostgreSQL database' : url
}

/**
 * The flags that name the store, in a command for people to copy; nothing of what may be secret: then the variables name it.
 *
 * @param readModels  where a store on EventStoreDB keeps its read models
 */
export const storeArgument = (url: string, readModels = ''): string => {
  if (!isSecret(url)) return ` --store ${shellWord(url)}`
  return isEventStoreDb(url) && readModels !== '' && !isSecret(readModels)
    ? ` --read-models ${shellWord(readModels)}`
    : ''
}
