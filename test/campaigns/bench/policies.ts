/** Policies to measure with. */
export type BenchPolicy = {
  readonly effect: 'EFFECT_ALLOW' | 'EFFECT_DENY'
  readonly condition: string
  readonly consensus: string
  readonly time: string
}

const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'UTC', 'Australia/Sydney']

/** Policies as people write them: each is for another kind of activity, and the last one allows what is measured. */
export const ordinaryPolicies = (count: number, isTimed: boolean): readonly BenchPolicy[] =>
  Array.from({ length: count }, (_, n) => ({
    effect: n % 5 === 3 && n < count - 1 ? 'EFFECT_DENY' : 'EFFECT_ALLOW',
    condition:
      n === count - 1
        ? "activity.resource == 'USER' && activity.action in ['CREATE', 'UPDATE']"
        : `activity.resource == 'RESOURCE ${n}' && activity.action in ['CREATE', 'UPDATE']`,
    consensus:
      n === count - 1
        ? 'approvers.count() >= 1'
        : `approvers.filter(user, user.tags.contains('tag ${n % 10}') || user.id == 'user ${n}').count() >= 2`,
    time: isTimed ? `CronSpan('0 0 * * *', '1d', '${ZONES[n % ZONES.length]}')` : '',
  }))

/** As many policies as an organization may have, each of which takes as long as it can: times, texts and looking ahead. */
export const worstPolicies = (count: number): readonly BenchPolicy[] => {
  const zones = Intl.supportedValuesOf('timeZone')
  return Array.from({ length: count }, (_, n) => ({
    effect: n % 2 === 0 ? 'EFFECT_DENY' : 'EFFECT_ALLOW',
    condition: '',
    consensus: 'approvers.filter(a, approvers.filter(b, b.tags.contains(a.id)).count() > 100).count() > 100',
    time: Array.from({ length: 10 }, (_, m) => {
      const zone = zones[(n * 10 + m) % zones.length] ?? 'UTC'
      return `!CronSpan('59 23 * * *', '${m + 1}m', '${zone}') && !CronSpan('58 23 1 1 0-6', '7d', '${zone}')`
    }).join(' && '),
  }))
}
