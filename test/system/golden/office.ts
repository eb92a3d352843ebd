import type { SigningKey } from '../../../adapters/signatures/signer.ts'
import type { Engine } from '../../../core/engine.ts'
import type { Json } from '../../../core/failure.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { begin, placeIn, type Person, type Place, type TestClock } from '../../core/world/world.ts'

/** An organization in an engine, where time passes, and people call from several addresses. */
export type Office = Place & {
  readonly engine: Engine
  readonly clock: TestClock
  readonly people: Map<string, Person>
  readonly person: (name: string) => Person
  readonly vote: (way: 'approve' | 'reject', person: Person, activity: ActivityView) => ReturnType<Place['approve']>
  readonly reopened: (engine: Engine) => Office
}

export const beginOffice = async (engine: Engine, clock: TestClock): Promise<Office> => {
  const { organizationId, root } = await begin({ engine, clock }, { name: 'Office' })
  return officeOf(engine, clock, organizationId, new Map([['root', root]]))
}

export const officeOf = (
  engine: Engine,
  clock: TestClock,
  organizationId: string,
  people: Map<string, Person>,
): Office => {
  const person = (name: string): Person => {
    const found = people.get(name)
    if (found === undefined) throw new Error(`nobody is called ${name}`)
    return found
  }
  const place = placeIn({ engine: lively(engine, clock), clock }, organizationId, person('root'))
  return {
    ...place,
    engine,
    clock,
    people,
    person,
    vote: (way, voter, activity) => place[way](voter, activity),
    enrol: async (name, ...more) => {
      const enrolled = await place.enrol(name, ...more)
      people.set(name, enrolled)
      return enrolled
    },
    reopened: (reopened) => officeOf(reopened, clock, organizationId, people),
  }
}

/** Requests take their time on their way, and come from here and there. */
const lively = (engine: Engine, clock: TestClock): Engine => {
  let requests = 0
  return {
    ...engine,
    submit: (path, request) => {
      clock.pass(250)
      requests += 1
      return engine.submit(path, { ...request, address: requests % 5 === 0 ? null : `192.0.2.${requests % 5}` })
    },
  }
}

export const keyParams = (
  apiKeyName: string,
  { publicKey, curve }: SigningKey,
  expirationSeconds?: string,
): { [member: string]: Json } => ({
  apiKeyName,
  publicKey,
  curveType: curve,
  ...(expirationSeconds === undefined ? {} : { expirationSeconds }),
})

export const idIn = ({ result }: ActivityView, member: string): string => {
  const [members] = Object.values(result) as readonly { readonly [member: string]: Json }[]
  const id = [members?.[member]].flat()[0]
  if (typeof id !== 'string') throw new Error(`the result has no ${member}`)
  return id
}
