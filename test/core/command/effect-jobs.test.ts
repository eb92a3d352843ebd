import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { effectJobs } from '../../../core/command/effect-jobs.ts'
import { leasing } from '../../../core/leasing/leasing.ts'
import { quiet } from '../world/under-way.ts'
import { testClock } from '../world/world.ts'

const it = suite('jobs of effects')

const activity = { organizationId: 'organization', activityId: 'activity' }

/** Jobs for which there is a place at once. What they take up is counted, and what threw is kept. */
const jobsOf = () => {
  const clock = testClock()
  const [takenUp, thrown]: [string[], unknown[]] = [[], []]
  const jobs = effectJobs({
    clock,
    tell: (_, cause) => void thrown.push(cause),
    leasing: leasing({ leases: undefined, clock }),
    work: { later: (_, job) => void job(), isClosing: () => false },
    takeUp: async ({ activityId }) => void takenUp.push(activityId),
  })
  return { jobs, clock, takenUp, thrown }
}

/** A job that runs until it is ended. */
const endless = () => {
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  return { job: () => ended, end: () => end() }
}

it('take an activity up once its running job has ended, where that was wanted meanwhile', async () => {
  const { jobs, takenUp } = jobsOf()
  const { job, end } = endless()
  jobs.alone(activity, job)
  for (let n = 0; n < 2; n += 1) jobs.resume(activity.organizationId, activity.activityId)
  await quiet()
  assert.equal(takenUp, [])
  end()
  await quiet()
  assert.equal(takenUp, [activity.activityId])
})

it('are done one at a time for an activity, and tell all who wait of the end', async () => {
  const { jobs } = jobsOf()
  const { job, end } = endless()
  const told: string[] = []
  jobs.alone(activity, job, () => void told.push('first'))
  jobs.alone(
    activity,
    async () => void told.push('the job of the second'),
    () => void told.push('second'),
  )
  await quiet()
  assert.equal(told, [])
  end()
  await quiet()
  assert.equal(told, ['first', 'second'])
})

it('are tried again after a pause, which is waited for once', async () => {
  const { jobs, clock, takenUp, thrown } = jobsOf()
  const cause = new Error('a bug')
  jobs.alone(activity, () => Promise.reject(cause))
  for (let n = 0; n < 2; n += 1) jobs.resumeLater(activity, 1_000)
  clock.pass(999)
  await quiet()
  assert.equal([takenUp, thrown], [[], [cause]])
  clock.pass(1)
  await quiet()
  assert.equal(takenUp, [activity.activityId])
})

it.run()
