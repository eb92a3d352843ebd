/** Where the page is, and which server it speaks to. */
type Place = { readonly origin: string; readonly pathname: string; readonly search: string }

/**
 * The URL of the server: what `?server=` names, for a page that came from elsewhere, or what stands before `/console`. Undefined if `?server=`
 * names no server.
 */
export const serverAt = ({ origin, pathname, search }: Place): string | undefined => {
  const named = new URLSearchParams(search).get('server')
  if (named === null) return `${origin}${pathname.replace(/\/console\/?$/, '')}`.replace(/\/+$/, '')
  if (!/^https?:\/\//i.test(named) || !URL.canParse(named)) return undefined
  const { username, password, href } = new URL(named)
  return username + password === '' ? href.replace(/\/+$/, '') : undefined
}
