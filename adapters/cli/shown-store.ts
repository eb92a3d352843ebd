/** Whether the URL of the store may have a password. */
const isSecret = (url: string): boolean => /^postgres(?:ql)?:/i.test(url)

/** The store for people to read, without any secret. */
export const shownStore = (url: string): string => (isSecret(url) ? 'a PostgreSQL database' : url)

/** The flag that names the store, in a command for people to copy; nothing if the flag would show a secret: then the variable names it. */
export const storeArgument = (url: string): string => (isSecret(url) ? '' : ` --store ${url}`)
