/** Stamped requests by the hundred. */
import { nodeIds } from 'countersign'
import { stamper, type SigningKey } from 'countersign/signatures'
import { beginning, ORGANIZATION_NAME, renaming, tagName, type Seed } from './seed.ts'

/** A stamped body, and what it says. */
export type Stamped = {
  readonly organization: string
  /** The name that its activity gives. */
  readonly name: string
  readonly body: Uint8Array
  readonly stamp: string
}

export type Asked = { readonly seed: Seed; readonly from: number; readonly count: number }

export const renamings = ({ seed, from, count }: Asked): readonly Stamped[] =>
  stampedBodies(seed.key, count, (n) => ({
    organization: seed.organizationId,
    name: tagName(`${from + n}`),
    body: renaming(seed, `${from + n}`),
  }))

export const beginnings = ({ seed, count }: Asked): readonly Stamped[] => {
  const ids = nodeIds()
  return stampedBodies(seed.key, count, () => {
    const organization = ids.uuid()
    return { organization, name: ORGANIZATION_NAME, body: beginning(organization, seed.key) }
  })
}

const stampedBodies = (
  key: SigningKey,
  count: number,
  bodyOf: (n: number) => Omit<Stamped, 'stamp'>,
): readonly Stamped[] => {
  const stamp = stamper(key)
  return Array.from({ length: count }, (_, n) => {
    const { organization, name, body } = bodyOf(n)
    return { organization, name, body, stamp: stamp(body) }
  })
}
