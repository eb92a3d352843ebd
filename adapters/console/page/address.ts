/** A view, as the part of the address behind `#` names it. */
export type View =
  | { readonly name: 'inbox' }
  | { readonly name: 'activities'; readonly type?: string; readonly status?: string; readonly before?: string }
  | { readonly name: 'activity'; readonly id: string }
  | { readonly name: 'organization' }
  | { readonly name: 'webhooks'; readonly endpoint?: string }
  | { readonly name: 'request'; readonly operation?: string }
  | { readonly name: 'audit' }

/** The view of an address; the inbox, if it names none. */
export const viewAt = (hash: string): View => {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [name = '', argument] = path.split('/').map(decoded)
  const wanted = new URLSearchParams(query)
  const given = (member: string) => (wanted.get(member) ? { [member]: wanted.get(member) ?? '' } : {})
  if (name === 'activities') return { name, ...given('type'), ...given('status'), ...given('before') }
  if (name === 'activity' && argument !== undefined) return { name, id: argument.toLowerCase() }
  if (name === 'webhooks') return { name, ...(argument ? { endpoint: argument } : {}) }
  if (name === 'request') return { name, ...(argument ? { operation: argument } : {}) }
  return name === 'organization' || name === 'audit' ? { name } : { name: 'inbox' }
}

/** The address of a view. */
export const addressOf = (view: View): string => {
  if (view.name === 'activity') return `#/activity/${encodeURIComponent(view.id)}`
  if (view.name === 'webhooks') return `#/webhooks${view.endpoint ? `/${encodeURIComponent(view.endpoint)}` : ''}`
  if (view.name === 'request') return `#/request${view.operation ? `/${encodeURIComponent(view.operation)}` : ''}`
  const { name, ...wanted } = view
  const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value !== '')).toString()
  return `#/${name}${query === '' ? '' : `?${query}`}`
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
