/** A module as it was built: measured through tsx, which runs the files of the bench, it would be slower than anybody's. */
export const built = async <M>(name: string): Promise<M> =>
  (await import(new URL(`../../../dist/${name}.js`, import.meta.url).href)) as M // built of the source with that type
