/** Whose files are meant. */
export interface FilesOwner {
  /** The folder below the results folder: the name of the cluster. */
  folder: string
  namespace: string
  name: string
  uid: string
  generation: number
}

/** A manifest that is to be there. */
export interface WantedFile {
  name: string
  /** Another one means another text. */
  version: string
  text: () => string
}

/** What is in the results folder, compared with what is wanted. */
export interface FilesSeen {
  /** Names of those that are missing, or say something else. */
  stale: string[]
  /** Names of those that we wrote and nobody wants any more. */
  surplus: string[]
  /** Why it did not work, how often in a row, and when it is time to try again. */
  trouble?: { message: string; tries: number; retryAt: Date }
}

/**
 * Where the manifests of Machines are kept for people to look at. Only what was written here is ever changed or
 * removed; what belongs to another cluster or to somebody else is left alone, and links are not followed.
 * What cannot be done is a FileSystemError, remembered until it works.
 */
export interface ResultsFolder {
  /** Never rejects: what is wrong is in what is seen. `isLive`: whether another cluster whose files are there exists. */
  look(
    owner: FilesOwner,
    wanted: readonly WantedFile[],
    isLive: (other: { namespace: string; name: string; uid: string }) => boolean,
  ): Promise<FilesSeen>
  /** Writes these. */
  write(owner: FilesOwner, files: readonly WantedFile[]): Promise<void>
  /** Removes those of these names that are the cluster's, and the folder if nothing is left in it. */
  remove(owner: FilesOwner, names: readonly string[]): Promise<void>
}
