// Basemaps that the settings name, or administrators: what was named, and what a viewer is told of it. The packaged map of the world is not
// among them: it is always there.

type Named = {
  /** Lower-case letters, digits and hyphens; stands in addresses and in saved maps. */
  readonly id: string;
  readonly title: string;
  /** Plain text; empty where nothing has to be said. */
  readonly attribution: string;
  readonly attributionUrl: string | undefined;
  /** Shown until the person chooses another one. */
  readonly isDefault: boolean;
  /** Further sites that the basemap is loaded from, which its own address does not name: tiles, letters and marks of a style. */
  readonly origins: readonly string[];
};

/** A file of the machine, one in the place that keeps files, or one of a server that answers ranges. */
export type ArchivePlace =
  | { readonly kind: 'disk'; readonly path: string }
  | { readonly kind: 'web'; readonly url: string }
  | { readonly kind: 'blob'; readonly key: string };

type Zooms = { readonly minzoom: number; readonly maxzoom: number };

export type BasemapSetting = Named &
  (
    | { readonly type: 'style'; readonly url: string; readonly dark: string | undefined }
    /** An archive that this program serves. */
    | { readonly type: 'pmtiles'; readonly place: ArchivePlace; readonly tileSize: 256 | 512 }
    /** Addresses with `{z}`, `{x}`, `{y}`. */
    | (Zooms & { readonly type: 'xyz'; readonly urls: readonly string[]; readonly tileSize: 256 | 512 })
    | (Zooms & {
        readonly type: 'wmts';
        readonly url: string;
        readonly layer: string;
        readonly style: string;
        readonly matrixSet: string;
        readonly format: string;
        readonly tileSize: 256 | 512;
      })
    | (Zooms & {
        readonly type: 'wms';
        readonly url: string;
        readonly layers: string;
        readonly styles: string;
        readonly version: '1.1.1' | '1.3.0';
        readonly format: string;
        readonly tileSize: 256 | 512;
      })
  );

/** As a viewer needs it: a style document of MapLibre, or a raster source of MapLibre. */
export type Basemap = {
  readonly id: string;
  readonly title: string;
  readonly attribution: string;
  readonly attribution_url: string | null;
  /** Sites that browsers ask for it: `https://tiles.example.org`. */
  readonly sites: readonly string[];
} & (
  | { readonly kind: 'style'; readonly style: string; readonly dark_style: string | null }
  | {
      readonly kind: 'raster';
      /** With `{z}/{x}/{y}` or `{bbox-epsg-3857}`. */
      readonly tiles: readonly string[];
      readonly tile_size: number;
      readonly minzoom: number;
      readonly maxzoom: number;
      /** West, south, east, north; null: the world. */
      readonly bounds: readonly [number, number, number, number] | null;
    }
);

type BasemapList = {
  /** Undefined: the packaged one. */
  readonly defaultId: string | undefined;
  readonly basemaps: readonly Basemap[];
  /** Archives of which nothing can be drawn now. */
  readonly unreadable: readonly {
    readonly id: string;
    readonly title: string;
    /** What is the matter with it, without the place where it stands: `is cut off`. */
    readonly reason: string;
  }[];
};

/** `base`: the portal's address as the client knows it. */
export type ListBasemaps = (base: string) => Promise<BasemapList>;

/** Those that there are now. */
export type BasemapsNow = () => readonly BasemapSetting[];
