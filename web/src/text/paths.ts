// Paths as a person thinks of them: inside the folder of the session that is shown, they are relative.

let base = '';

/** The folder of the session whose transcript is drawn. */
export function setBase(folder: string): void {
  base = folder.endsWith('/') ? folder : `${folder}/`;
}

export function shortPath(path: string): string {
  return base.length > 1 && path.startsWith(base) ? path.slice(base.length) : path;
}
