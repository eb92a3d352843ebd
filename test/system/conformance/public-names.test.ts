import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ballots } from '../../../core/deciding/ballot.ts'
import { publicOperations, publicQueries, publicTypes } from '../../../core/resources/public-names.ts'
import { publicOperations as offered, publicQueries as asked } from '../../core/world/with-host.ts'
import { refusedOnPurpose } from '../../../core/resources/refused-on-purpose.ts'
import { OWN_QUERIES, OWN_ROUTES, specification } from './specification.ts'

const it = suite('the names of the public API')

it('are those of the specification', () => {
  if (specification === undefined) return
  const names = (kind: string) =>
    specification?.operations
      .map(({ path }) => path)
      .filter((path) => path.startsWith(`/public/v1/${kind}/`))
      .map((path) => path.replace(`/public/v1/${kind}/`, ''))
      .toSorted()
  assert.equal([...publicOperations].toSorted(), names('submit'))
  assert.equal([...publicQueries].toSorted(), names('query'))
  assert.equal([...publicTypes].toSorted(), Object.keys(specification.activityTypes).toSorted())
})

it('contain everything that is offered, but for routes of our own', () => {
  if (specification !== undefined)
    for (const { path } of offered) assert.is(publicOperations.has(path), !OWN_ROUTES.has(path), path)
  for (const path of Object.keys(ballots)) assert.ok(publicOperations.has(path), path)
  for (const { path } of asked) assert.is(publicQueries.has(path), !OWN_QUERIES.has(path), path)
  const types = [...offered.flatMap(({ versions }) => versions), ...Object.values(ballots)].map(
    (one) => one?.type ?? '',
  )
  for (const type of types) assert.ok(publicTypes.has(type), type)
})

it('contain each type that is refused on purpose, and none of these is offered', () => {
  const types = new Set(offered.flatMap(({ versions }) => versions.map(({ type }) => type)))
  for (const type of refusedOnPurpose.keys()) {
    assert.ok(publicTypes.has(type), type)
    assert.not(types.has(type), type)
  }
})

it.run()
