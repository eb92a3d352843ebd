import type { ExecuteContext } from '../../definition/operation.ts'
import { parentOf } from '../../organization/profile.ts'
import type { Draft, Organization, State } from '../../organization/state.ts'
import { checkQuota } from '../check-quota.ts'
import { uniqueName } from '../unique-name.ts'
import type { Tags } from './tags.ts'

/** A thing that can have tags, in a draft. */
type Tagged = { tagIds: string[]; updatedAtMs: number }

type Kind<A extends Tagged> = {
  readonly tags: Tags
  readonly things: State<Map<string, A>>
  /** The thing, as refusals call it. */
  readonly thing: string
}

type Context = Pick<ExecuteContext<undefined>, 'organization' | 'ids' | 'find' | 'findAll'>

/** What creating, changing and deleting tags has in common for all things that can have tags: the operations name the members. */
export const tagging = <A extends Tagged>({ tags, things, thing }: Kind<A>) => {
  const tag = `${thing} tag`
  const checkName = uniqueName(tags, ({ tagName }) => tagName)
  return {
    /** Checks a new tag, and draws its id. @param field  the member that has the name */
    create: (
      field: string,
      {
        tagName,
        ids,
        countMax,
      }: { readonly tagName: string; readonly ids: readonly string[]; readonly countMax: number },
      context: Context,
    ): string => {
      checkQuota(tags.of(context.organization).size + 1, countMax, `${tag}s`)
      checkName(field, tagName, context.organization)
      context.findAll(thing, things, ids)
      return context.ids()
    },
    created: (draft: Draft, tagId: string, tagName: string, ids: readonly string[], atMs: number): void => {
      tags.in(draft).set(tagId, { tagId, tagName, createdAtMs: atMs, updatedAtMs: atMs })
      for (const id of ids) add(things.in(draft).get(id), tagId, atMs)
    },
    checkUpdate: (
      field: string,
      {
        tagId,
        tagName,
        ids,
      }: { readonly tagId: string; readonly tagName: string | undefined; readonly ids: readonly string[] },
      { organization, find, findAll }: Context,
    ): void => {
      find(tag, tags, tagId)
      findAll(thing, things, ids)
      checkName(field, tagName, organization, tagId)
    },
    updated: (draft: Draft, { tagId, tagName, added, removed }: Update, atMs: number): void => {
      const found = tags.in(draft).get(tagId)
      if (found === undefined) return
      if (tagName !== undefined) found.tagName = tagName
      found.updatedAtMs = atMs
      for (const id of added) add(things.in(draft).get(id), tagId, atMs)
      for (const id of removed) remove(things.in(draft).get(id), [tagId], atMs)
    },
    /** The ids of the things that have one of these tags, which have to be there. */
    having: (tagIds: readonly string[], { organization, findAll }: Context): readonly string[] => {
      findAll(tag, tags, tagIds)
      return [...things.of(organization)].flatMap(([id, { tagIds: own }]) =>
        own.some((tagId) => tagIds.includes(tagId)) ? [id] : [],
      )
    },
    deleted: (draft: Draft, tagIds: readonly string[], ids: readonly string[], atMs: number): void => {
      for (const tagId of tagIds) tags.in(draft).delete(tagId)
      for (const id of ids) remove(things.in(draft).get(id), tagIds, atMs)
    },
  }
}

type Update = {
  readonly tagId: string
  readonly tagName?: string | undefined
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

const add = (thing: Tagged | undefined, tagId: string, atMs: number): void => {
  if (thing === undefined || thing.tagIds.includes(tagId)) return
  thing.tagIds.push(tagId)
  thing.updatedAtMs = atMs
}

const remove = (thing: Tagged | undefined, tagIds: readonly string[], atMs: number): void => {
  if (thing === undefined || !thing.tagIds.some((tagId) => tagIds.includes(tagId))) return
  thing.tagIds = thing.tagIds.filter((tagId) => !tagIds.includes(tagId))
  thing.updatedAtMs = atMs
}

/** The most tags of an organization below another one, whatever the limit is. */
const TAGS_BELOW_MAX = 10

/** The most tags that an organization may have. @param limit  that of an organization on top */
export const tagsMax = (organization: Organization, limit: number): number =>
  parentOf(organization) === undefined ? limit : Math.min(limit, TAGS_BELOW_MAX)

/** Refuses an update that both adds and removes a thing. */
export const notBoth = (member: string, thing: string, added: readonly string[], removed: readonly string[]) => {
  const all = new Set(added)
  return removed.some((id) => all.has(id)) ? { member, expected: `no ${thing} is also added` } : undefined
}
