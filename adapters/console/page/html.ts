import htm from 'htm'
import { h, type VNode } from 'preact'

/** Something that is shown. Texts in it are text: nothing of them is read as markup. */
export type Shown = VNode | readonly VNode[]

/** What a view is written in: tags as in HTML, components as `<${Component} … />`. */
export const html: (strings: TemplateStringsArray, ...values: readonly unknown[]) => Shown = htm.bind(h)
