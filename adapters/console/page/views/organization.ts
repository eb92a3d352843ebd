import * as t from 'io-ts'
import { escapedLine } from '../../../inbox/escape.ts'
import { html, type Shown } from '../html.ts'
import { Read, Theirs } from '../parts.ts'
import { usePolled } from '../polled.ts'
import { texts } from '../texts.ts'
import { shortLine } from '../words.ts'
import type { Session } from '../who/session.ts'
import { answersTo, type Answers, type Queries } from './answers.ts'

const User = t.intersection([
  t.type({
    userId: t.string,
    userName: t.string,
    userTags: t.readonlyArray(t.string),
    apiKeys: t.UnknownArray,
    authenticators: t.UnknownArray,
  }),
  t.partial({ userEmail: t.string }),
])
const Tag = t.type({ tagId: t.string, tagName: t.string })
const Policy = t.type({
  policyId: t.string,
  policyName: t.string,
  effect: t.string,
  consensus: t.string,
  condition: t.string,
})
const Feature = t.intersection([t.type({ name: t.string }), t.partial({ value: t.string })])
const Configs = t.intersection([
  t.type({
    quorum: t.type({ threshold: t.number, userIds: t.readonlyArray(t.string) }),
    features: t.readonlyArray(Feature),
  }),
  t.partial({ allowedOrigins: t.readonlyArray(t.string) }),
])

const queries = {
  list_users: t.type({ users: t.readonlyArray(User) }),
  list_user_tags: t.type({ userTags: t.readonlyArray(Tag) }),
  list_policies: t.type({ policies: t.readonlyArray(Policy) }),
  get_organization_configs: t.type({ configs: Configs }),
} satisfies Queries

/** Who belongs to the organization, and its rules: what the server offers of them. */
export const OrganizationView = ({ session }: { readonly session: Session }): Shown => {
  const polled = usePolled(`organization ${session.organizationId}`, PACE_MS, (signal) =>
    answersTo(session, queries, signal),
  )
  return html`<${Read} of=${polled}
    >${({ list_users, list_user_tags, list_policies, get_organization_configs }: Answers<typeof queries>) => {
      const names = new Map<string, string>([
        ...(list_users?.users ?? []).map(({ userId, userName }) => [userId, userName] as const),
        ...(list_user_tags?.userTags ?? []).map(({ tagId, tagName }) => [tagId, tagName] as const),
      ])
      const configs = get_organization_configs?.configs
      return html`
        <p><${Theirs} text=${session.organizationName} /> <code>${session.organizationId}</code></p>
        ${configs && html`<${ConfigsSection} configs=${configs} names=${names} />`}
        ${list_users && html`<${Users} users=${list_users.users} names=${names} />`}
        ${list_user_tags && html`<${Tags} tags=${list_user_tags.userTags} />`}
        ${list_policies && html`<${Policies} policies=${list_policies.policies} names=${names} />`}
      `
    }}<//
  >`
}

const PACE_MS = 30_000

type Names = ReadonlyMap<string, string>

const Named = ({ ids, names }: { readonly ids: readonly string[]; readonly names: Names }): Shown =>
  html`${ids.map((id, index) => html`${index > 0 && ', '}<${Theirs} text=${names.get(id) ?? id} />`)}`

const Users = ({ users, names }: { readonly users: readonly t.TypeOf<typeof User>[]; readonly names: Names }): Shown =>
  html`<section aria-labelledby="users">
    <h2 id="users">${texts.organization.users}</h2>
    <ul class="cards">
      ${users.map(
        ({ userId, userName, userEmail, userTags, apiKeys, authenticators }) =>
          html`<li key=${userId}>
            <strong><${Theirs} text=${userName} /></strong>
            ${userEmail !== undefined && html` <${Theirs} text=${userEmail} />`}
            <p class="hint">
              ${texts.organization.keys(apiKeys.length, authenticators.length)}
              ${userTags.length > 0 && html` · ${texts.organization.tagged}: <${Named} ids=${userTags} names=${names} />`}
            </p>
            <code>${escapedLine(userId)}</code>
          </li>`,
      )}
    </ul>
  </section>`

const Tags = ({ tags }: { readonly tags: readonly t.TypeOf<typeof Tag>[] }): Shown =>
  html`<section aria-labelledby="tags">
    <h2 id="tags">${texts.organization.tags}</h2>
    ${tags.length === 0 && html`<p>${texts.organization.none}</p>`}
    <ul class="cards">
      ${tags.map(({ tagId, tagName }) => html`<li key=${tagId}><${Theirs} text=${tagName} /> <code>${escapedLine(tagId)}</code></li>`)}
    </ul>
  </section>`

const Policies = ({
  policies,
  names,
}: {
  readonly policies: readonly t.TypeOf<typeof Policy>[]
  readonly names: Names
}): Shown =>
  html`<section aria-labelledby="policies">
    <h2 id="policies">${texts.organization.policies}</h2>
    ${policies.length === 0 && html`<p>${texts.organization.none}</p>`}
    <ul class="cards">
      ${policies.map(
        ({ policyId, policyName, effect, consensus, condition }) =>
          html`<li key=${policyId}>
            <strong><${Theirs} text=${policyName} /></strong>
            ${shortLine(effect.replace('EFFECT_', '').toLowerCase())}
            <dl>
              ${expression(texts.organization.consensus, consensus, names)}
              ${expression(texts.organization.condition, condition, names)}
            </dl>
            <code>${escapedLine(policyId)}</code>
          </li>`,
      )}
    </ul>
  </section>`

/** The text of an expression, and the names of the ids in it. */
const expression = (label: string, text: string, names: Names): Shown | null => {
  if (text === '') return null
  const named = [...names].filter(([id]) => text.includes(id))
  return html`<dt>${label}</dt>
    <dd>
      <code>${escapedLine(text)}</code>
      ${named.map(([id, name]) => html`<p class="hint"><code>${id}</code> <${Theirs} text=${name} /></p>`)}
    </dd>`
}

const ConfigsSection = ({
  configs: { quorum, features, allowedOrigins },
  names,
}: {
  readonly configs: t.TypeOf<typeof Configs>
  readonly names: Names
}): Shown =>
  html`<section aria-labelledby="configs">
    <h2 id="configs">${texts.organization.quorum}</h2>
    <p>
      ${texts.organization.quorumOf(quorum.threshold, quorum.userIds.length)}:${' '}
      <${Named} ids=${quorum.userIds} names=${names} />
    </p>
    <h2>${texts.organization.features}</h2>
    ${features.length === 0 && html`<p>${texts.organization.none}</p>`}
    <ul>
      ${features.map(
        ({ name, value }) =>
          html`<li key=${name}><code>${escapedLine(name)}</code>${value && html`: <${Theirs} text=${value} />`}</li>`,
      )}
    </ul>
    ${
      allowedOrigins &&
      html`<h2>${texts.organization.origins}</h2>
        <p>${allowedOrigins.map((origin) => html`<${Theirs} text=${origin} /> `)}</p>`
    }
  </section>`
