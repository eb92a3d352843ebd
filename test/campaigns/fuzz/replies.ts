import type { Shot } from './shots.ts'

export type Reply = { readonly status: number; readonly body: string; readonly isJson: boolean }

/** Whether events may have come of it: it was done, or denied by policy, which is kept. */
export const isAccepted = ({ status }: Reply): boolean => status === 200 || status === 403

/** What is wrong with the answers to a request. */
export const faultsOf = (shot: Shot, replies: readonly Reply[]): readonly string[] => {
  const first = replies[0]
  const faults = replies.flatMap((reply) => faultsOfReply(shot, reply))
  if (first === undefined) return shot.isBroken ? faults : [...faults, 'no answer']
  return shot.mustFail && first.status < 400 ? [...faults, `${first.status} where only a refusal would do`] : faults
}

/** What the wire says of a wrong network: it names the entry and its value. */
const NAMED_NETWORK = /of IPv6 from [^"]*, and not \\"(?:[^"\\]|\\[^"])*\\"/g

const faultsOfReply = ({ secrets }: Shot, { status, body, isJson }: Reply): readonly string[] => {
  if (status < 400) return []
  const faults: string[] = []
  if (status >= 500) faults.push(`${status}: ${body}`)
  if (!isJson || !isError(body)) faults.push(`${status} is not written as errors are: ${body.slice(0, 300)}`)
  const own = body.replaceAll(NAMED_NETWORK, '')
  for (const secret of secrets) if (own.includes(secret)) faults.push(`${status} repeats what was sent: ${body}`)
  return faults
}

const isError = (body: string): boolean => {
  try {
    const error: unknown = JSON.parse(body)
    if (typeof error !== 'object' || error === null) return false
    const { code, message, details } = error as { readonly [member: string]: unknown } // an object
    return typeof code === 'number' && typeof message === 'string' && Array.isArray(details)
  } catch {
    return false
  }
}
