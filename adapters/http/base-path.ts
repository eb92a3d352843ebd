/** Segments of the characters that a path can have (RFC 3986, 3.3); others have to be percent-encoded. */
const PATH = /^(?:\/(?:[\w.~!$&'()*+,;=:@-]|%[\da-f]{2})+)*$/i
const DOTS = /\/(?:\.|%2e){1,2}(?=\/|$)/i

/** Whether it is a path of one or more segments, without a slash at its end. */
export const isPath = (text: string): boolean => text !== '' && PATH.test(text) && !DOTS.test(text)

/**
 * The base path as requests are compared with it: without slashes at its end, and empty for the root.
 *
 * @throws RangeError if no request could have such a path
 */
export const basePathOf = (option: string): string => {
  const path = option.replace(/\/+$/, '')
  if (path !== '' && !isPath(path))
    throw new RangeError('basePath: expected a path such as /countersign, percent-encoded where URLs need it')
  return withUpperCaseHex(path)
}

/**
 * The rest of a path behind the base path, which begins with one slash; undefined if the path is not under the base path. Paths are compared
 * as they are sent: if one character had several spellings, a rule of a proxy about the path could be evaded. Only the digits of a
 * percent-encoding may be in upper or lower case, because clients write both.
 *
 * @param path  begins with a slash
 */
export const behindBasePath = (basePath: string, path: string): string | undefined => {
  if (basePath === '') return path
  const { length } = basePath
  if (!path.startsWith(basePath)) {
    if (!basePath.includes('%') || withUpperCaseHex(path.slice(0, length)) !== basePath) return undefined
  }
  if (path.length === length) return '/'
  // Clients append paths to a base URL that may end in a slash.
  return path[length] === '/' ? path.slice(length).replace(/^\/+/, '/') : undefined
}

const withUpperCaseHex = (path: string): string => path.replaceAll(/%[\da-f]{2}/gi, (encoded) => encoded.toUpperCase())
