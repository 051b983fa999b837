// The operations of a portal's API as types. Generated from its OpenAPI document by `npm run api-types`; not to be edited.

type QueryValue = string | number | boolean | ReadonlyArray<string | number>;

/** What many operations are asked with. */
type Parameters = {
  /** A field that is not wanted; can be repeated. The records are then shorter than described here. */
  readonly 'exclude[]'?: ReadonlyArray<string>;
  /** Words that all have to occur. */
  readonly search?: string;
  /** Where to look for them; can be repeated. ^ begins with, = equals, $ regular expression, @ whole words. */
  readonly search_fields?: ReadonlyArray<string>;
  /** filter{field.operator}=value, as often as wanted; a minus before the field negates. */
  readonly [filter: `${'' | '-'}filter{${string}}`]: QueryValue;
  /** `true`: ids in place of related records, which stand beside the list, each once. */
  readonly sideloading?: boolean;
  /** A field that is only shown on request; can be repeated. */
  readonly 'include[]'?: ReadonlyArray<string>;
  /** Fields to sort by, separated by commas; a minus sorts downwards. */
  readonly ordering?: string;
  /** A field to sort by; can be repeated. */
  readonly 'sort[]'?: ReadonlyArray<string>;
  /** Number of the page, from 1. */
  readonly page?: number;
  /** Records of a page. */
  readonly page_size?: number;
  /** xmin,ymin,xmax,ymax in WGS 84; several boxes follow each other. */
  readonly extent?: string;
  readonly limit?: number;
  readonly q?: string;
  /** `true` or `1`: change everything that passes the filters, one by one; `query`: in one statement. The body is then one object. */
  readonly 'patch-all'?: "true" | "1" | "query";
  readonly offset?: number;
  readonly order_by?: string;
  readonly before?: number;
  readonly name?: string;
  readonly url?: string;
  readonly kind?: "wms" | "tiles" | "features" | "arcgis-map" | "arcgis-features" | "wfs" | "image";
  readonly version?: "1.1.1" | "1.3.0" | "1.1.0" | "2.0.0";
  readonly style?: string;
  readonly image?: "image/png" | "image/jpeg";
  readonly info?: "application/json" | "application/geo+json" | "application/vnd.ogc.gml" | "text/xml" | "text/plain";
  readonly output?: string;
  readonly srs?: string;
  /** Anything: with the fields that are not shown otherwise. */
  readonly full?: string;
  /** Number of the import. */
  readonly id?: number;
  /** West, south, east, north, in degrees. */
  readonly bbox?: ReadonlyArray<number>;
  /** A date or time, or two with a slash; `..` is an open end. */
  readonly datetime?: string;
  /** Uuids of items. */
  readonly ids?: ReadonlyArray<string>;
};

type CommonResourceChange = {
  /** Who owns it. Administrators may choose another account, by id, name or object. */
  readonly owner?: number | string | Readonly<Record<string, unknown>> | null;
  /** What it is about; may hold HTML. */
  readonly abstract?: string | null;
  /** Whom to name when it is used. */
  readonly attribution?: string | null;
  /** Digital object identifier. */
  readonly doi?: string | null;
  /** The date that `date_type` speaks of. */
  readonly date?: string;
  /** What `date` is the date of. */
  readonly date_type?: "creation" | "publication" | "revision";
  /** Edition. */
  readonly edition?: string | null;
  /** What it was made for. */
  readonly purpose?: string | null;
  /** How often it is brought up to date. */
  readonly maintenance_frequency?: "unknown" | "continual" | "notPlanned" | "daily" | "annually" | "asNeeded" | "monthly" | "fortnightly" | "irregular" | "weekly" | "biannually" | "quarterly" | null;
  /** Kind of restriction on its use. */
  readonly restriction_code_type?: number | string | Readonly<Record<string, unknown>> | null;
  /** Other restrictions. */
  readonly constraints_other?: string | null;
  /** License. */
  readonly license?: number | string | Readonly<Record<string, unknown>> | null;
  /** Language, ISO 639-2. */
  readonly language?: string;
  /** Topic category, ISO 19115. */
  readonly category?: number | string | Readonly<Record<string, unknown>> | null;
  /** How space is represented. */
  readonly spatial_representation_type?: number | string | Readonly<Record<string, unknown>> | null;
  /** Begin of the time it covers. */
  readonly temporal_extent_start?: string | null;
  /** End of the time it covers. */
  readonly temporal_extent_end?: string | null;
  /** Anything else. */
  readonly supplemental_information?: string | null;
  /** How good the data are. */
  readonly data_quality_statement?: string | null;
  /** Extent in the coordinate system `srid`, as GeoJSON. */
  readonly bbox_polygon?: {
    readonly type: "Polygon";
    readonly coordinates: ReadonlyArray<ReadonlyArray<ReadonlyArray<number>>>;
  } | {
    readonly type: "MultiPolygon";
    readonly coordinates: ReadonlyArray<ReadonlyArray<ReadonlyArray<ReadonlyArray<number>>>>;
  } | null;
  /** Extent in WGS 84, as GeoJSON. */
  readonly ll_bbox_polygon?: {
    readonly type: "Polygon";
    readonly coordinates: ReadonlyArray<ReadonlyArray<ReadonlyArray<number>>>;
  } | {
    readonly type: "MultiPolygon";
    readonly coordinates: ReadonlyArray<ReadonlyArray<ReadonlyArray<ReadonlyArray<number>>>>;
  } | null;
  /** Coordinate system. */
  readonly srid?: string;
  /** Group that it belongs to. */
  readonly group?: number | string | Readonly<Record<string, unknown>> | null;
  /** Keywords; written as names, as the objects that are read, or by id. */
  readonly keywords?: ReadonlyArray<number | string | Readonly<Record<string, unknown>>>;
  /** Regions; written by code, as the objects that are read, or by id. */
  readonly regions?: ReadonlyArray<number | string | Readonly<Record<string, unknown>>>;
  /** Words of thesauri; written by id, by name, or as the objects that are read. */
  readonly tkeywords?: ReadonlyArray<number | string | Readonly<Record<string, unknown>>>;
  /** Chosen by administrators to be shown first. */
  readonly featured?: boolean;
  /** Published; needs `publish_resourcebase`. */
  readonly is_published?: boolean;
  /** Approved; needs `publish_resourcebase`. */
  readonly is_approved?: boolean;
  /** Hides the item from all lists and details. */
  readonly metadata_only?: boolean;
  /** Address of a small picture; a data URL with one is accepted. */
  readonly thumbnail_url?: string | null;
};

type CommonResource = {
  /** Id, in digits. The same number addresses the item in `resources` and in its own collection. */
  readonly pk: string;
  /** Identifier for other catalogues. */
  readonly uuid: string;
  /** What kind of item it is. */
  readonly resource_type: "layer" | "map" | "document" | "geoapp" | "geostory";
  /** Number of the type; constant per type. */
  readonly polymorphic_ctype_id: string;
  /** What the caller may do with the item. */
  readonly perms: ReadonlyArray<PermissionName>;
  /** Who owns it. Administrators may choose another account, by id, name or object. */
  readonly owner: EmbeddedUser | null;
  /** Point of contact. */
  readonly poc: EmbeddedUser | null;
  /** Who describes it. */
  readonly metadata_author: EmbeddedUser | null;
  /** What it is about; may hold HTML. */
  readonly abstract: string;
  /** Whom to name when it is used. */
  readonly attribution: string | null;
  /** Digital object identifier. */
  readonly doi: string | null;
  /** `workspace:name` of a layer. */
  readonly alternate: string | null;
  /** The date that `date_type` speaks of. */
  readonly date: string;
  /** What `date` is the date of. */
  readonly date_type: "creation" | "publication" | "revision";
  /** Edition. */
  readonly edition: string | null;
  /** What it was made for. */
  readonly purpose: string | null;
  /** How often it is brought up to date. */
  readonly maintenance_frequency: "unknown" | "continual" | "notPlanned" | "daily" | "annually" | "asNeeded" | "monthly" | "fortnightly" | "irregular" | "weekly" | "biannually" | "quarterly" | null;
  /** Kind of restriction on its use. */
  readonly restriction_code_type: RestrictionCodeType | null;
  /** Other restrictions. */
  readonly constraints_other: string | null;
  /** License. */
  readonly license: License | null;
  /** Language, ISO 639-2. */
  readonly language: string;
  /** Topic category, ISO 19115. */
  readonly category: EmbeddedCategory | null;
  /** How space is represented. */
  readonly spatial_representation_type: SpatialRepresentationType | null;
  /** Begin of the time it covers. */
  readonly temporal_extent_start: string | null;
  /** End of the time it covers. */
  readonly temporal_extent_end: string | null;
  /** Anything else. */
  readonly supplemental_information: string;
  /** How good the data are. */
  readonly data_quality_statement: string | null;
  /** Extent in the coordinate system `srid`, as GeoJSON. */
  readonly bbox_polygon: {
    readonly type: "Polygon";
    readonly coordinates: ReadonlyArray<ReadonlyArray<ReadonlyArray<number>>>;
  } | {
    readonly type: "MultiPolygon";
    readonly coordinates: ReadonlyArray<ReadonlyArray<ReadonlyArray<ReadonlyArray<number>>>>;
  } | null;
  /** Extent in WGS 84, as GeoJSON. */
  readonly ll_bbox_polygon: {
    readonly type: "Polygon";
    readonly coordinates: ReadonlyArray<ReadonlyArray<ReadonlyArray<number>>>;
  } | {
    readonly type: "MultiPolygon";
    readonly coordinates: ReadonlyArray<ReadonlyArray<ReadonlyArray<ReadonlyArray<number>>>>;
  } | null;
  /** The same as a box, as newer clients read it: `{"coords": [xmin, ymin, xmax, ymax], "srid": "EPSG:4326"}`. */
  readonly extent: Readonly<Record<string, unknown>> | null;
  /** Coordinate system. */
  readonly srid: string;
  /** Group that it belongs to. */
  readonly group: Group | null;
  /** Keywords; written as names, as the objects that are read, or by id. */
  readonly keywords: ReadonlyArray<EmbeddedKeyword>;
  /** Regions; written by code, as the objects that are read, or by id. */
  readonly regions: ReadonlyArray<EmbeddedRegion>;
  /** Words of thesauri; written by id, by name, or as the objects that are read. */
  readonly tkeywords: ReadonlyArray<EmbeddedTkeyword>;
  /** How often it was looked at. */
  readonly popular_count: string;
  /** How often it was shared. */
  readonly share_count: string;
  /** How it was rated, 1 to 5, as a whole number; 0: nobody has rated it. */
  readonly rating: string;
  /** How it was rated on average, 1 to 5; 0: nobody has rated it. */
  readonly rating_average: number;
  /** How many have rated it. */
  readonly rating_count: number;
  /** How many comments there are on it. */
  readonly comment_count: number;
  /** Chosen by administrators to be shown first. */
  readonly featured: boolean;
  /** Published; needs `publish_resourcebase`. */
  readonly is_published: boolean;
  /** Approved; needs `publish_resourcebase`. */
  readonly is_approved: boolean;
  /** Hides the item from all lists and details. */
  readonly metadata_only: boolean;
  /** Can be copied with `PUT …/copy`; layers cannot. */
  readonly is_copyable: boolean;
  /** In step with its stored data. */
  readonly processed: boolean;
  /** Who sees it: everybody, others than its owner, or its owner alone. Only with `include[]=sharing`. */
  readonly sharing?: "public" | "shared" | "private";
  /** Address of its page. */
  readonly detail_url: string;
  /** Address to embed it; empty for documents. */
  readonly embed_url: string;
  /** Address of a small picture; a data URL with one is accepted. */
  readonly thumbnail_url: string | null;
  /** When it was put into the catalogue. */
  readonly created: string;
  /** When it was last changed. */
  readonly last_updated: string;
  /** `abstract` without HTML. */
  readonly raw_abstract: string;
  /** `purpose` without HTML. */
  readonly raw_purpose: string;
  /** `constraints_other` without HTML. */
  readonly raw_constraints_other: string;
  /** `supplemental_information` without HTML. */
  readonly raw_supplemental_information: string;
  /** `data_quality_statement` without HTML. */
  readonly raw_data_quality_statement: string;
  /** What kind of data a layer holds, or of document it is; null for other items. */
  readonly subtype: "vector" | "raster" | "vector_time" | "remote" | "tabular" | "text" | "image" | "presentation" | "archive" | "audio" | "video" | "other" | null;
  /** Addresses of its data, pictures and services. */
  readonly links: ReadonlyArray<Link>;
  /** One of the caller’s favourites. */
  readonly favorite?: boolean;
  /** When the data of a layer were renewed last, whatever else of it has changed. Only with `include[]=data_updated`. */
  readonly data_updated?: string | null;
  /** Whether the data are as new as `maintenance_frequency` says; `due` until half as long again has passed. Only with `include[]=freshness`. */
  readonly freshness?: "fresh" | "due" | "overdue" | null;
};

export type AcceptedUpload = {
  /** Number of the import, for `/upload/final?id=`. */
  readonly id: number;
  readonly upload_id: number;
  readonly execution_id: string;
  readonly success: boolean;
  readonly status: "pending" | "finished";
  readonly url: string;
  readonly redirect_to: string;
  readonly meta?: Ignored;
};

export type Asset = {
  /** Of the document. */
  readonly id: number;
  readonly pk: number;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly type: string | null;
  readonly created: string;
  readonly download_url: string;
  readonly deletable: boolean;
  readonly owner: {
    readonly pk?: number;
    readonly username?: string;
  } | null;
};

export type Attribute = {
  /** Id of the attribute. */
  readonly pk: number;
  /** Name of the column. */
  readonly attribute: string;
  /** What it means. */
  readonly description: string | null;
  /** Name for people. */
  readonly attribute_label: string | null;
  /** Type, such as `xsd:string`. */
  readonly attribute_type: string;
  /** Shown to people. */
  readonly visible: boolean;
  /** Place among the attributes. */
  readonly display_order: number;
  /** How a value is shown. */
  readonly featureinfo_type: string;
  /** How its values are shown: `{"kind": "currency", "currency": "EUR"}`; null: as they are. Written at `/presentation`. */
  readonly format: Readonly<Record<string, unknown>> | null;
  /** How many values there are. */
  readonly count: number;
  /** Statistic of the column, as text; `NA` where there is none. */
  readonly min: string;
  /** Statistic of the column, as text; `NA` where there is none. */
  readonly max: string;
  /** Statistic of the column, as text; `NA` where there is none. */
  readonly average: string;
  /** Statistic of the column, as text; `NA` where there is none. */
  readonly median: string;
  /** Statistic of the column, as text; `NA` where there is none. */
  readonly stddev: string;
  /** Statistic of the column, as text; `NA` where there is none. */
  readonly sum: string;
  /** Its different values; `NA` where they were not counted. */
  readonly unique_values: string;
  /** When the statistics were made. */
  readonly last_stats_updated: string;
};

export type Audience = {
  /** Everybody sees it; groups and people are not counted then. */
  readonly public: boolean;
  /** Every account sees it. */
  readonly members: boolean;
  readonly groups: number;
  /** Besides its owner. */
  readonly people: number;
  /** Items that it shows, as far as the caller sees them. */
  readonly lacking: ReadonlyArray<{
    readonly pk: string;
    readonly title: string;
    readonly resource_type: "layer" | "map" | "document" | "geoapp" | "geostory";
    /** To see it is enough, but for tables: to see rows in a list is to download them. */
    readonly needs: ReadonlyArray<string>;
    /** The caller may give them what they lack. */
    readonly may_share: boolean;
    /** Those that lack it; `anonymous` is everybody. */
    readonly groups: ReadonlyArray<string>;
    readonly users: ReadonlyArray<string>;
  }>;
};

export type Category = {
  /** Id. */
  readonly pk: number;
  /** Entry of the code list. */
  readonly identifier: string;
  /** What it covers. */
  readonly description: string;
  /** Items that the caller sees. */
  readonly count: number;
  /** Address of this record. */
  readonly link: string;
};

export type CategoryList = {
  readonly links: {
    readonly next: string | null;
    readonly previous: string | null;
  };
  readonly total: number;
  readonly page: number;
  readonly page_size: number;
  readonly categories: ReadonlyArray<Category>;
};

export type ChangedLinks = {
  readonly success: ReadonlyArray<number>;
  /** Those that were not linked. */
  readonly error: ReadonlyArray<number>;
};

export type Comment = {
  readonly id: number;
  readonly author: {
    readonly pk: number;
    readonly username: string;
    readonly first_name: string;
    readonly last_name: string;
  } | null;
  /** Plain text with line breaks. */
  readonly body: string;
  readonly created: string;
  readonly edited: string | null;
  /** Shown to its author, the owner of the item and administrators only. */
  readonly hidden: boolean;
  readonly may_edit: boolean;
  readonly may_delete: boolean;
  readonly may_hide: boolean;
};

export type DatasetChange = CommonResourceChange & {
  /** Put together of several rasters. */
  readonly is_mosaic?: boolean;
  /** Has a time dimension. */
  readonly has_time?: boolean;
  /** Has a height dimension. */
  readonly has_elevation?: boolean;
  /** How the time stands in names of files. */
  readonly time_regex?: "[0-9]{8}" | "[0-9]{8}T[0-9]{6}" | "[0-9]{8}T[0-9]{6}Z" | null;
  /** How the height stands in names of files. */
  readonly elevation_regex?: string | null;
  /** Show features with the template. */
  readonly use_featureinfo_custom_template?: boolean;
  /** HTML to show a feature with. */
  readonly featureinfo_custom_template?: string | null;
  /** Title. */
  readonly title?: string;
  /** Who may do what, as `set_perms` takes it: `{"users": {}, "groups": {}}` is nobody but the owner. Not sent: as the settings have it. */
  readonly permissions?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type DatasetChangeById = CommonResourceChange & {
  readonly id: number;
  /** Put together of several rasters. */
  readonly is_mosaic?: boolean;
  /** Has a time dimension. */
  readonly has_time?: boolean;
  /** Has a height dimension. */
  readonly has_elevation?: boolean;
  /** How the time stands in names of files. */
  readonly time_regex?: "[0-9]{8}" | "[0-9]{8}T[0-9]{6}" | "[0-9]{8}T[0-9]{6}Z" | null;
  /** How the height stands in names of files. */
  readonly elevation_regex?: string | null;
  /** Show features with the template. */
  readonly use_featureinfo_custom_template?: boolean;
  /** HTML to show a feature with. */
  readonly featureinfo_custom_template?: string | null;
  /** Title. */
  readonly title?: string;
  /** Who may do what, as `set_perms` takes it: `{"users": {}, "groups": {}}` is nobody but the owner. Not sent: as the settings have it. */
  readonly permissions?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type DatasetInput = CommonResourceChange & {
  /** Put together of several rasters. */
  readonly is_mosaic?: boolean;
  /** Has a time dimension. */
  readonly has_time?: boolean;
  /** Has a height dimension. */
  readonly has_elevation?: boolean;
  /** How the time stands in names of files. */
  readonly time_regex?: "[0-9]{8}" | "[0-9]{8}T[0-9]{6}" | "[0-9]{8}T[0-9]{6}Z" | null;
  /** How the height stands in names of files. */
  readonly elevation_regex?: string | null;
  /** Show features with the template. */
  readonly use_featureinfo_custom_template?: boolean;
  /** HTML to show a feature with. */
  readonly featureinfo_custom_template?: string | null;
  /** Title. */
  readonly title: string;
  /** Who may do what, as `set_perms` takes it: `{"users": {}, "groups": {}}` is nobody but the owner. Not sent: as the settings have it. */
  readonly permissions?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type DatasetList = {
  readonly links: {
    readonly next: string | null;
    readonly previous: string | null;
  };
  readonly total: number;
  readonly page: number;
  readonly page_size: number;
  readonly datasets: ReadonlyArray<Layer>;
};

export type Document = CommonResource & {
  /** Title, or id where there is none. */
  readonly name: string;
  /** Where to get it: the address elsewhere, or of the download. Null for who may not download it. */
  readonly href: string | null;
  /** Kind of document; follows from the file. */
  readonly doc_type: "text" | "image" | "presentation" | "archive" | "audio" | "video" | "other" | null;
  /** Ending of the file’s name; follows from the file. */
  readonly extension: string | null;
  /** Media type, by the content of the file. */
  readonly mime_type: string | null;
  /** Title. */
  readonly title: string;
  /** Address of this record. */
  readonly link: string;
};

export type DocumentChange = CommonResourceChange & {
  /** Kind of document; follows from the file. */
  readonly doc_type?: "text" | "image" | "presentation" | "archive" | "audio" | "video" | "other" | null;
  /** Ending of the file’s name; follows from the file. */
  readonly extension?: string | null;
  /** Address of a document elsewhere, instead of a file. */
  readonly doc_url?: string | null;
  /** Ids of the items that the document belongs to; read them at `linked_resources/`. */
  readonly linked_resources?: ReadonlyArray<number | string | Readonly<Record<string, unknown>>>;
  /** Title. */
  readonly title?: string;
  /** Who may do what, as `set_perms` takes it: `{"users": {}, "groups": {}}` is nobody but the owner. Not sent: as the settings have it. */
  readonly permissions?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type DocumentChangeById = CommonResourceChange & {
  readonly id: number;
  /** Kind of document; follows from the file. */
  readonly doc_type?: "text" | "image" | "presentation" | "archive" | "audio" | "video" | "other" | null;
  /** Ending of the file’s name; follows from the file. */
  readonly extension?: string | null;
  /** Address of a document elsewhere, instead of a file. */
  readonly doc_url?: string | null;
  /** Ids of the items that the document belongs to; read them at `linked_resources/`. */
  readonly linked_resources?: ReadonlyArray<number | string | Readonly<Record<string, unknown>>>;
  /** Title. */
  readonly title?: string;
  /** Who may do what, as `set_perms` takes it: `{"users": {}, "groups": {}}` is nobody but the owner. Not sent: as the settings have it. */
  readonly permissions?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type DocumentInput = CommonResourceChange & {
  /** Kind of document; follows from the file. */
  readonly doc_type?: "text" | "image" | "presentation" | "archive" | "audio" | "video" | "other" | null;
  /** Ending of the file’s name; follows from the file. */
  readonly extension?: string | null;
  /** Address of a document elsewhere, instead of a file. */
  readonly doc_url?: string | null;
  /** Ids of the items that the document belongs to; read them at `linked_resources/`. */
  readonly linked_resources?: ReadonlyArray<number | string | Readonly<Record<string, unknown>>>;
  /** Title. */
  readonly title: string;
  /** Who may do what, as `set_perms` takes it: `{"users": {}, "groups": {}}` is nobody but the owner. Not sent: as the settings have it. */
  readonly permissions?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type DocumentList = {
  readonly links: {
    readonly next: string | null;
    readonly previous: string | null;
  };
  readonly total: number;
  readonly page: number;
  readonly page_size: number;
  readonly documents: ReadonlyArray<Document>;
};

export type EmbeddedCategory = {
  /** Entry of the code list. */
  readonly identifier: string;
};

export type EmbeddedKeyword = {
  /** The word. */
  readonly name: string;
  /** The word as it stands in addresses. */
  readonly slug: string;
};

export type EmbeddedRegion = {
  /** Code of three letters. */
  readonly code: string;
  /** Name. */
  readonly name: string;
};

export type EmbeddedTkeyword = {
  /** Id. */
  readonly pk: number;
  /** The word. */
  readonly name: string;
  /** The word as it stands in addresses. */
  readonly slug: string;
  /** Its address elsewhere. */
  readonly uri: string | null;
  readonly thesaurus: ThesaurusName;
  /** Labels by language: `{"de": "Wasser"}`. */
  readonly i18n: Readonly<Record<string, unknown>>;
};

export type EmbeddedUser = {
  /** Id of the account. */
  readonly pk: number;
  /** Name to sign in with. */
  readonly username: string;
  /** First name. */
  readonly first_name: string;
  /** Last name. */
  readonly last_name: string;
  /** Address of a picture. */
  readonly avatar: string;
  /** `add_resource` when the account may create content. */
  readonly perms: ReadonlyArray<"add_resource">;
};

export type Following = {
  readonly following: boolean;
};

export type Geoapp = CommonResource & {
  /** Name, unique among apps. */
  readonly name: string;
  /** Zoom level. */
  readonly zoom: number | null;
  /** Coordinate system of the view. */
  readonly projection: string | null;
  /** Centre of the view. */
  readonly center_x: number | null;
  /** Centre of the view. */
  readonly center_y: number | null;
  /** End of an address of its own. */
  readonly urlsuffix: string | null;
  /** The content of the app, as JSON or JSON text. Only with `include[]=data`. */
  readonly data?: Readonly<Record<string, unknown>> | null;
  /** Title. */
  readonly title: string;
  /** Address of this record. */
  readonly link: string;
};

export type GeoappChange = CommonResourceChange & {
  /** Name, unique among apps. */
  readonly name?: string;
  /** Zoom level. */
  readonly zoom?: number | null;
  /** Coordinate system of the view. */
  readonly projection?: string | null;
  /** Centre of the view. */
  readonly center_x?: number | null;
  /** Centre of the view. */
  readonly center_y?: number | null;
  /** End of an address of its own. */
  readonly urlsuffix?: string | null;
  /** The content of the app, as JSON or JSON text. Only with `include[]=data`. */
  readonly data?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string | null;
  /** Another name for `data`. */
  readonly blob?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string | null;
  /** Title. */
  readonly title?: string;
  /** Who may do what, as `set_perms` takes it: `{"users": {}, "groups": {}}` is nobody but the owner. Not sent: as the settings have it. */
  readonly permissions?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type GeoappChangeById = CommonResourceChange & {
  readonly id: number;
  /** Name, unique among apps. */
  readonly name?: string;
  /** Zoom level. */
  readonly zoom?: number | null;
  /** Coordinate system of the view. */
  readonly projection?: string | null;
  /** Centre of the view. */
  readonly center_x?: number | null;
  /** Centre of the view. */
  readonly center_y?: number | null;
  /** End of an address of its own. */
  readonly urlsuffix?: string | null;
  /** The content of the app, as JSON or JSON text. Only with `include[]=data`. */
  readonly data?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string | null;
  /** Another name for `data`. */
  readonly blob?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string | null;
  /** Title. */
  readonly title?: string;
  /** Who may do what, as `set_perms` takes it: `{"users": {}, "groups": {}}` is nobody but the owner. Not sent: as the settings have it. */
  readonly permissions?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type GeoappInput = CommonResourceChange & {
  /** Name, unique among apps. */
  readonly name: string;
  /** Zoom level. */
  readonly zoom?: number | null;
  /** Coordinate system of the view. */
  readonly projection?: string | null;
  /** Centre of the view. */
  readonly center_x?: number | null;
  /** Centre of the view. */
  readonly center_y?: number | null;
  /** End of an address of its own. */
  readonly urlsuffix?: string | null;
  /** The content of the app, as JSON or JSON text. Only with `include[]=data`. */
  readonly data?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string | null;
  /** Another name for `data`. */
  readonly blob?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string | null;
  /** Title. */
  readonly title?: string;
  /** Who may do what, as `set_perms` takes it: `{"users": {}, "groups": {}}` is nobody but the owner. Not sent: as the settings have it. */
  readonly permissions?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type GeoappList = {
  readonly links: {
    readonly next: string | null;
    readonly previous: string | null;
  };
  readonly total: number;
  readonly page: number;
  readonly page_size: number;
  readonly geoapps: ReadonlyArray<Geoapp>;
};

export type Geostory = CommonResource & {
  /** Name, unique among apps. */
  readonly name: string;
  /** Zoom level. */
  readonly zoom: number | null;
  /** Coordinate system of the view. */
  readonly projection: string | null;
  /** Centre of the view. */
  readonly center_x: number | null;
  /** Centre of the view. */
  readonly center_y: number | null;
  /** End of an address of its own. */
  readonly urlsuffix: string | null;
  /** Kind of app. */
  readonly app_type: string;
  /** The content of the app, as JSON or JSON text. Only with `include[]=data`. */
  readonly data?: Readonly<Record<string, unknown>> | null;
  /** Title. */
  readonly title: string;
  /** Address of this record. */
  readonly link: string;
};

export type GeostoryChange = CommonResourceChange & {
  /** Name, unique among apps. */
  readonly name?: string;
  /** Zoom level. */
  readonly zoom?: number | null;
  /** Coordinate system of the view. */
  readonly projection?: string | null;
  /** Centre of the view. */
  readonly center_x?: number | null;
  /** Centre of the view. */
  readonly center_y?: number | null;
  /** End of an address of its own. */
  readonly urlsuffix?: string | null;
  /** Kind of app. */
  readonly app_type?: string;
  /** The content of the app, as JSON or JSON text. Only with `include[]=data`. */
  readonly data?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string | null;
  /** Another name for `data`. */
  readonly blob?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string | null;
  /** Title. */
  readonly title?: string;
  /** Who may do what, as `set_perms` takes it: `{"users": {}, "groups": {}}` is nobody but the owner. Not sent: as the settings have it. */
  readonly permissions?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type GeostoryChangeById = CommonResourceChange & {
  readonly id: number;
  /** Name, unique among apps. */
  readonly name?: string;
  /** Zoom level. */
  readonly zoom?: number | null;
  /** Coordinate system of the view. */
  readonly projection?: string | null;
  /** Centre of the view. */
  readonly center_x?: number | null;
  /** Centre of the view. */
  readonly center_y?: number | null;
  /** End of an address of its own. */
  readonly urlsuffix?: string | null;
  /** Kind of app. */
  readonly app_type?: string;
  /** The content of the app, as JSON or JSON text. Only with `include[]=data`. */
  readonly data?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string | null;
  /** Another name for `data`. */
  readonly blob?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string | null;
  /** Title. */
  readonly title?: string;
  /** Who may do what, as `set_perms` takes it: `{"users": {}, "groups": {}}` is nobody but the owner. Not sent: as the settings have it. */
  readonly permissions?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type GeostoryInput = CommonResourceChange & {
  /** Name, unique among apps. */
  readonly name: string;
  /** Zoom level. */
  readonly zoom?: number | null;
  /** Coordinate system of the view. */
  readonly projection?: string | null;
  /** Centre of the view. */
  readonly center_x?: number | null;
  /** Centre of the view. */
  readonly center_y?: number | null;
  /** End of an address of its own. */
  readonly urlsuffix?: string | null;
  /** Kind of app. */
  readonly app_type?: string;
  /** The content of the app, as JSON or JSON text. Only with `include[]=data`. */
  readonly data?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string | null;
  /** Another name for `data`. */
  readonly blob?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string | null;
  /** Title. */
  readonly title?: string;
  /** Who may do what, as `set_perms` takes it: `{"users": {}, "groups": {}}` is nobody but the owner. Not sent: as the settings have it. */
  readonly permissions?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type GeostoryList = {
  readonly links: {
    readonly next: string | null;
    readonly previous: string | null;
  };
  readonly total: number;
  readonly page: number;
  readonly page_size: number;
  readonly geostories: ReadonlyArray<Geostory>;
};

export type Group = {
  /** Id of the group. */
  readonly pk: number;
  /** Name of the group. */
  readonly name: string;
};

export type GroupProfile = {
  /** Id of the group. */
  readonly pk: number;
  /** Title. */
  readonly title: string;
  readonly group: Group;
  /** Name in addresses and permissions; changed by administrators. Made of the title where none is sent. */
  readonly slug: string;
  /** Address of a picture. */
  readonly logo: string | null;
  /** What the group is about. */
  readonly description: string;
  /** Address of the group. */
  readonly email: string;
  /** Keywords, as slugs. */
  readonly keywords: ReadonlyArray<string>;
  /** `private` groups are known to their members only. */
  readonly access: "public" | "public-invite" | "private";
  /** What the caller is in it; null: nothing. Only with `include[]=role`. */
  readonly role?: "manager" | "member" | null;
  /** Categories of groups, as slugs. */
  readonly categories: ReadonlyArray<string>;
};

export type GroupProfileChange = {
  /** Title. */
  readonly title?: string;
  /** Name in addresses and permissions; changed by administrators. Made of the title where none is sent. */
  readonly slug?: string;
  /** Address of a picture. */
  readonly logo?: string | null;
  /** What the group is about. */
  readonly description?: string;
  /** Address of the group. */
  readonly email?: string | null;
  /** Keywords, as slugs. */
  readonly keywords?: ReadonlyArray<number | string | Readonly<Record<string, unknown>>>;
  /** `private` groups are known to their members only. */
  readonly access?: "public" | "public-invite" | "private";
  /** Categories of groups, as slugs. */
  readonly categories?: ReadonlyArray<number | string | Readonly<Record<string, unknown>>>;
};

export type GroupProfileChangeById = {
  readonly id: number;
  /** Title. */
  readonly title?: string;
  /** Name in addresses and permissions; changed by administrators. Made of the title where none is sent. */
  readonly slug?: string;
  /** Address of a picture. */
  readonly logo?: string | null;
  /** What the group is about. */
  readonly description?: string;
  /** Address of the group. */
  readonly email?: string | null;
  /** Keywords, as slugs. */
  readonly keywords?: ReadonlyArray<number | string | Readonly<Record<string, unknown>>>;
  /** `private` groups are known to their members only. */
  readonly access?: "public" | "public-invite" | "private";
  /** Categories of groups, as slugs. */
  readonly categories?: ReadonlyArray<number | string | Readonly<Record<string, unknown>>>;
};

export type GroupProfileInput = {
  /** Title. */
  readonly title: string;
  /** Name in addresses and permissions; changed by administrators. Made of the title where none is sent. */
  readonly slug?: string;
  /** Address of a picture. */
  readonly logo?: string | null;
  /** What the group is about. */
  readonly description?: string;
  /** Address of the group. */
  readonly email?: string | null;
  /** Keywords, as slugs. */
  readonly keywords?: ReadonlyArray<number | string | Readonly<Record<string, unknown>>>;
  /** `private` groups are known to their members only. */
  readonly access?: "public" | "public-invite" | "private";
  /** Categories of groups, as slugs. */
  readonly categories?: ReadonlyArray<number | string | Readonly<Record<string, unknown>>>;
};

export type GroupProfileList = {
  readonly links: {
    readonly next: string | null;
    readonly previous: string | null;
  };
  readonly total: number;
  readonly page: number;
  readonly page_size: number;
  readonly group_profiles: ReadonlyArray<GroupProfile>;
};

export type Ignored = {
  /** Members of the body that no field has. */
  readonly ignored: ReadonlyArray<string>;
};

export type Keyword = {
  /** Id. */
  readonly pk: number;
  /** The word. */
  readonly name: string;
  /** The word as it stands in addresses. */
  readonly slug: string;
  /** Items that the caller sees. */
  readonly count: number;
  /** Address of this record. */
  readonly link: string;
};

export type KeywordList = {
  readonly links: {
    readonly next: string | null;
    readonly previous: string | null;
  };
  readonly total: number;
  readonly page: number;
  readonly page_size: number;
  readonly keywords: ReadonlyArray<Keyword>;
};

export type Layer = CommonResource & {
  /** Name on the map server. */
  readonly name: string;
  /** Workspace on the map server. */
  readonly workspace: string | null;
  /** Store on the map server. */
  readonly store: string | null;
  /** `dataStore`: vector, `coverageStore`: raster. */
  readonly storeType: "dataStore" | "coverageStore" | null;
  /** A table of the database that is only read; when the layer is deleted, the table stays. */
  readonly is_registered: boolean;
  /** Of a layer of somebody else’s service: where it is, as `/api/v2/remote/` takes it, with `attribution` and `bbox`. Null: the portal has its data. */
  readonly remote: Readonly<Record<string, unknown>> | null;
  /** Character set of the data. */
  readonly charset: string;
  /** Put together of several rasters. */
  readonly is_mosaic: boolean;
  /** Has a time dimension. */
  readonly has_time: boolean;
  /** Has a height dimension. */
  readonly has_elevation: boolean;
  /** How the time stands in names of files. */
  readonly time_regex: "[0-9]{8}" | "[0-9]{8}T[0-9]{6}" | "[0-9]{8}T[0-9]{6}Z" | null;
  /** How the height stands in names of files. */
  readonly elevation_regex: string | null;
  /** Show features with the template. */
  readonly use_featureinfo_custom_template: boolean;
  /** HTML to show a feature with. */
  readonly featureinfo_custom_template: string | null;
  /** The filter that maps with the layer begin with, CQL2 as JSON; null: none. Readers can clear it, and services do not apply it. Written at `/presentation`. */
  readonly default_filter: Readonly<Record<string, unknown>> | null;
  /** What a pop-up has beside the template: `{"title", "columns", "charts"}`; null: as usual. Written at `/presentation`. */
  readonly popup: Readonly<Record<string, unknown>> | null;
  /** The style that is used when none is asked for. */
  readonly default_style: Style | null;
  /** All styles. */
  readonly styles: ReadonlyArray<Style>;
  /** The columns of the layer. */
  readonly attribute_set: ReadonlyArray<Attribute>;
  /** How clients of GeoNode load it. */
  readonly ptype: string;
  /** Address of its OGC services. */
  readonly ows_url: string;
  /** Title. */
  readonly title: string;
  /** Address of this record. */
  readonly link: string;
};

export type LayerChange = CommonResourceChange & {
  /** Put together of several rasters. */
  readonly is_mosaic?: boolean;
  /** Has a time dimension. */
  readonly has_time?: boolean;
  /** Has a height dimension. */
  readonly has_elevation?: boolean;
  /** How the time stands in names of files. */
  readonly time_regex?: "[0-9]{8}" | "[0-9]{8}T[0-9]{6}" | "[0-9]{8}T[0-9]{6}Z" | null;
  /** How the height stands in names of files. */
  readonly elevation_regex?: string | null;
  /** Show features with the template. */
  readonly use_featureinfo_custom_template?: boolean;
  /** HTML to show a feature with. */
  readonly featureinfo_custom_template?: string | null;
  /** Title. */
  readonly title?: string;
  /** Who may do what, as `set_perms` takes it: `{"users": {}, "groups": {}}` is nobody but the owner. Not sent: as the settings have it. */
  readonly permissions?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type LayerChangeById = CommonResourceChange & {
  readonly id: number;
  /** Put together of several rasters. */
  readonly is_mosaic?: boolean;
  /** Has a time dimension. */
  readonly has_time?: boolean;
  /** Has a height dimension. */
  readonly has_elevation?: boolean;
  /** How the time stands in names of files. */
  readonly time_regex?: "[0-9]{8}" | "[0-9]{8}T[0-9]{6}" | "[0-9]{8}T[0-9]{6}Z" | null;
  /** How the height stands in names of files. */
  readonly elevation_regex?: string | null;
  /** Show features with the template. */
  readonly use_featureinfo_custom_template?: boolean;
  /** HTML to show a feature with. */
  readonly featureinfo_custom_template?: string | null;
  /** Title. */
  readonly title?: string;
  /** Who may do what, as `set_perms` takes it: `{"users": {}, "groups": {}}` is nobody but the owner. Not sent: as the settings have it. */
  readonly permissions?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type LayerInput = CommonResourceChange & {
  /** Put together of several rasters. */
  readonly is_mosaic?: boolean;
  /** Has a time dimension. */
  readonly has_time?: boolean;
  /** Has a height dimension. */
  readonly has_elevation?: boolean;
  /** How the time stands in names of files. */
  readonly time_regex?: "[0-9]{8}" | "[0-9]{8}T[0-9]{6}" | "[0-9]{8}T[0-9]{6}Z" | null;
  /** How the height stands in names of files. */
  readonly elevation_regex?: string | null;
  /** Show features with the template. */
  readonly use_featureinfo_custom_template?: boolean;
  /** HTML to show a feature with. */
  readonly featureinfo_custom_template?: string | null;
  /** Title. */
  readonly title: string;
  /** Who may do what, as `set_perms` takes it: `{"users": {}, "groups": {}}` is nobody but the owner. Not sent: as the settings have it. */
  readonly permissions?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type LayerList = {
  readonly links: {
    readonly next: string | null;
    readonly previous: string | null;
  };
  readonly total: number;
  readonly page: number;
  readonly page_size: number;
  readonly layers: ReadonlyArray<Layer>;
};

export type License = {
  /** Entry of the code list. */
  readonly identifier: string;
  /** Name for people. Only with `include[]=license.name`. */
  readonly name?: string;
  /** Its text. Only with `include[]=license.url`. */
  readonly url?: string | null;
};

export type Link = {
  /** Ending of the file behind it. */
  readonly extension: string;
  /** What kind of link it is: data, image, html, OGC:WMS … */
  readonly link_type: string;
  /** Name for people. */
  readonly name: string;
  /** Media type. */
  readonly mime: string;
  /** Address. */
  readonly url: string;
};

export type LinkedResources = {
  /** How many links there are, shown or not. */
  readonly total: number;
  readonly linked_to: ReadonlyArray<{
    readonly internal: boolean;
    readonly pk: string;
    readonly title: string;
  }>;
  readonly linked_by: ReadonlyArray<{
    readonly internal: boolean;
    readonly pk: string;
    readonly title: string;
  }>;
  /** Both, each item once. */
  readonly resources: ReadonlyArray<{
    readonly internal: boolean;
    readonly pk: string;
    readonly title: string;
  }>;
};

export type Map = CommonResource & {
  /** Zoom level. */
  readonly zoom: number;
  /** Coordinate system of the view, such as `EPSG:3857`. */
  readonly projection: string;
  /** Centre of the view. */
  readonly center_x: number;
  /** Centre of the view. */
  readonly center_y: number;
  /** End of an address of its own. */
  readonly urlsuffix: string | null;
  /** Address of its own. */
  readonly featuredurl: string | null;
  /** The content of the app, as JSON or JSON text. Only with `include[]=data`. */
  readonly data?: Readonly<Record<string, unknown>> | null;
  /** Layers of the map as newer clients know them: `{pk, name, order, visibility, opacity, current_style, extra_params, dataset}`. What is sent replaces them, unless `data` has layers, too. */
  readonly maplayers: ReadonlyArray<unknown>;
  /** How many of its layers the caller may not see; nothing else is told of them. Only with `include[]=hidden_layers`. */
  readonly hidden_layers?: number;
  /** Title. */
  readonly title: string;
  /** Address of this record. */
  readonly link: string;
};

export type MapChange = CommonResourceChange & {
  /** Zoom level. */
  readonly zoom?: number;
  /** Coordinate system of the view, such as `EPSG:3857`. */
  readonly projection?: string;
  /** Centre of the view. */
  readonly center_x?: number;
  /** Centre of the view. */
  readonly center_y?: number;
  /** End of an address of its own. */
  readonly urlsuffix?: string | null;
  /** Address of its own. */
  readonly featuredurl?: string | null;
  /** The content of the app, as JSON or JSON text. Only with `include[]=data`. */
  readonly data?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string | null;
  /** Another name for `data`. */
  readonly blob?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string | null;
  /** Layers of the map as newer clients know them: `{pk, name, order, visibility, opacity, current_style, extra_params, dataset}`. What is sent replaces them, unless `data` has layers, too. */
  readonly maplayers?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
  /** Title. */
  readonly title?: string;
  /** Who may do what, as `set_perms` takes it: `{"users": {}, "groups": {}}` is nobody but the owner. Not sent: as the settings have it. */
  readonly permissions?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type MapChangeById = CommonResourceChange & {
  readonly id: number;
  /** Zoom level. */
  readonly zoom?: number;
  /** Coordinate system of the view, such as `EPSG:3857`. */
  readonly projection?: string;
  /** Centre of the view. */
  readonly center_x?: number;
  /** Centre of the view. */
  readonly center_y?: number;
  /** End of an address of its own. */
  readonly urlsuffix?: string | null;
  /** Address of its own. */
  readonly featuredurl?: string | null;
  /** The content of the app, as JSON or JSON text. Only with `include[]=data`. */
  readonly data?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string | null;
  /** Another name for `data`. */
  readonly blob?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string | null;
  /** Layers of the map as newer clients know them: `{pk, name, order, visibility, opacity, current_style, extra_params, dataset}`. What is sent replaces them, unless `data` has layers, too. */
  readonly maplayers?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
  /** Title. */
  readonly title?: string;
  /** Who may do what, as `set_perms` takes it: `{"users": {}, "groups": {}}` is nobody but the owner. Not sent: as the settings have it. */
  readonly permissions?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type MapInput = CommonResourceChange & {
  /** Zoom level. */
  readonly zoom: number;
  /** Coordinate system of the view, such as `EPSG:3857`. */
  readonly projection: string;
  /** Centre of the view. */
  readonly center_x: number;
  /** Centre of the view. */
  readonly center_y: number;
  /** End of an address of its own. */
  readonly urlsuffix?: string | null;
  /** Address of its own. */
  readonly featuredurl?: string | null;
  /** The content of the app, as JSON or JSON text. Only with `include[]=data`. */
  readonly data?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string | null;
  /** Another name for `data`. */
  readonly blob?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string | null;
  /** Layers of the map as newer clients know them: `{pk, name, order, visibility, opacity, current_style, extra_params, dataset}`. What is sent replaces them, unless `data` has layers, too. */
  readonly maplayers?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
  /** Title. */
  readonly title: string;
  /** Who may do what, as `set_perms` takes it: `{"users": {}, "groups": {}}` is nobody but the owner. Not sent: as the settings have it. */
  readonly permissions?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type MapLayer = {
  /** Id of the map layer. */
  readonly pk: number;
  /** Name of the layer. */
  readonly name: string | null;
  /** Store of the layer. */
  readonly store: string | null;
  /** Place in the stack, from the bottom. */
  readonly stack_order: number;
  /** Media type of its pictures. */
  readonly format: string | null;
  /** From 0, invisible, to 1. */
  readonly opacity: number;
  /** Styles. */
  readonly styles: string | null;
  /** Its background is transparent. */
  readonly transparent: boolean;
  /** Keeps its place in the stack. */
  readonly fixed: boolean;
  /** Group in the list of layers. */
  readonly group: string | null;
  /** Shown at first. */
  readonly visibility: boolean;
  /** Address of its service. */
  readonly ows_url: string | null;
  /** JSON text. */
  readonly layer_params: string;
  /** JSON text. */
  readonly source_params: string;
  /** A layer of this portal. */
  readonly local: boolean;
};

export type MapList = {
  readonly links: {
    readonly next: string | null;
    readonly previous: string | null;
  };
  readonly total: number;
  readonly page: number;
  readonly page_size: number;
  readonly maps: ReadonlyArray<Map>;
};

export type Notification = {
  readonly id: number;
  readonly kind: "comment" | "mention" | "data" | "content" | "metadata" | "deleted" | "new" | "source";
  readonly at: string;
  readonly read: boolean;
  readonly actor: {
    readonly pk: number;
    readonly username: string;
    readonly first_name: string;
    readonly last_name: string;
  } | null;
  readonly resource: {
    readonly pk: string;
    readonly resource_type: "layer" | "map" | "document" | "geoapp" | "geostory";
    readonly title: string;
  };
  /** The beginning of the comment that it is about. */
  readonly comment: string | null;
};

export type Owner = {
  /** Id of the account. */
  readonly pk: number;
  /** Name to sign in with. */
  readonly username: string;
  /** First name. */
  readonly first_name: string;
  /** Last name. */
  readonly last_name: string;
  /** Address of a picture. */
  readonly avatar: string;
  /** `add_resource` when the account may create content. */
  readonly perms: ReadonlyArray<"add_resource">;
  /** Items that the caller sees. */
  readonly count: number;
  /** Address of this record. */
  readonly link: string;
};

export type OwnerList = {
  readonly links: {
    readonly next: string | null;
    readonly previous: string | null;
  };
  readonly total: number;
  readonly page: number;
  readonly page_size: number;
  readonly owners: ReadonlyArray<Owner>;
};

export type PermissionLevels = {
  readonly users: ReadonlyArray<{
    readonly id: number;
    readonly username: string;
    readonly first_name: string;
    readonly last_name: string;
    readonly avatar: string;
    /** Null to who may not know. */
    readonly is_superuser: boolean | null;
    /** Null to who may not know. */
    readonly is_staff: boolean | null;
    readonly permissions: "none" | "view" | "download" | "edit" | "manage" | "owner";
  }>;
  readonly organizations: ReadonlyArray<{
    readonly id: number;
    readonly title: string;
    readonly name: string;
    readonly logo: string | null;
    readonly permissions: "none" | "view" | "download" | "edit" | "manage" | "owner";
  }>;
  /** What everybody may do (`anonymous`), and every account (`registered-members`). */
  readonly groups: ReadonlyArray<{
    readonly id: number;
    readonly title: string;
    readonly name: string;
    readonly permissions: "none" | "view" | "download" | "edit" | "manage" | "owner";
  }>;
};

export type PermissionName = "view_resourcebase" | "download_resourcebase" | "change_resourcebase" | "change_resourcebase_metadata" | "delete_resourcebase" | "change_resourcebase_permissions" | "publish_resourcebase" | "change_layer_data" | "change_layer_style";

export type Permissions = {
  readonly users: Readonly<Record<string, ReadonlyArray<PermissionName>>>;
  readonly groups: Readonly<Record<string, ReadonlyArray<PermissionName>>>;
};

export type Rating = {
  /** 0: nobody has rated it. */
  readonly average: number;
  readonly count: number;
  readonly mine: number | null;
};

export type Region = {
  /** Id. */
  readonly pk: number;
  /** Code of three letters. */
  readonly code: string;
  /** Name. */
  readonly name: string;
  /** Items that the caller sees. */
  readonly count: number;
  /** Address of this record. */
  readonly link: string;
};

export type RegionList = {
  readonly links: {
    readonly next: string | null;
    readonly previous: string | null;
  };
  readonly total: number;
  readonly page: number;
  readonly page_size: number;
  readonly regions: ReadonlyArray<Region>;
};

export type Resource = CommonResource & {
  /** Title. */
  readonly title: string;
  /** Address of this record. */
  readonly link: string;
};

export type ResourceChange = CommonResourceChange & {
  /** Title. */
  readonly title?: string;
  /** Who may do what, as `set_perms` takes it: `{"users": {}, "groups": {}}` is nobody but the owner. Not sent: as the settings have it. */
  readonly permissions?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type ResourceChangeById = CommonResourceChange & {
  readonly id: number;
  /** Title. */
  readonly title?: string;
  /** Who may do what, as `set_perms` takes it: `{"users": {}, "groups": {}}` is nobody but the owner. Not sent: as the settings have it. */
  readonly permissions?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type ResourceInput = CommonResourceChange & {
  readonly resource_type?: "layer" | "map" | "document" | "geoapp" | "geostory";
  /** Title. */
  readonly title: string;
  /** Who may do what, as `set_perms` takes it: `{"users": {}, "groups": {}}` is nobody but the owner. Not sent: as the settings have it. */
  readonly permissions?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type ResourceList = {
  readonly links: {
    readonly next: string | null;
    readonly previous: string | null;
  };
  readonly total: number;
  readonly page: number;
  readonly page_size: number;
  readonly resources: ReadonlyArray<Resource>;
};

export type RestrictionCodeType = {
  /** Entry of the code list. */
  readonly identifier: string;
};

export type SentPermissions = {
  readonly users?: Readonly<Record<string, ReadonlyArray<PermissionName>>>;
  readonly groups?: Readonly<Record<string, ReadonlyArray<PermissionName>>>;
};

export type ShareLinks = {
  readonly links: ReadonlyArray<{
    readonly id: number;
    readonly title: string;
    /** The page of the item with the secret in `link`; other addresses of it take the same. */
    readonly url: string;
    /** The same for a frame; null: the item has no page for frames. */
    readonly embed_url: string | null;
    readonly permissions: "view" | "download";
    readonly made_by: string;
    readonly created: string;
    readonly renewed: string | null;
    /** Null: never. */
    readonly expires: string | null;
    readonly is_on: boolean;
    /** It is on, and has not ended. */
    readonly is_good: boolean;
  }>;
  /** Items that this one shows, and that those who have a link do not see. */
  readonly lacking: ReadonlyArray<{
    readonly pk: string;
    readonly title: string;
    readonly resource_type: "layer" | "map" | "document" | "geoapp" | "geostory";
    /** The caller may let the links show it. */
    readonly may_share: boolean;
  }>;
  /** Links of other items by which this one is seen; null: the caller does not see the other item. */
  readonly shown_by: ReadonlyArray<{
    readonly id: number;
    readonly permissions: "view" | "download";
    readonly pk: string | null;
    readonly item: string | null;
  }>;
};

export type SpatialRepresentationType = {
  /** Entry of the code list. */
  readonly identifier: string;
};

export type Style = {
  /** Id of the style. */
  readonly pk: number;
  /** Name, unique in its workspace. */
  readonly name: string;
  /** Workspace. */
  readonly workspace: string;
  /** Title. */
  readonly sld_title: string | null;
  /** The style as SLD. */
  readonly sld_body: string | null;
  /** Version of SLD. */
  readonly sld_version: string;
  /** Address of the SLD. */
  readonly sld_url: string | null;
};

export type Thesaurus = {
  /** Id. */
  readonly pk: number;
  /** Name in addresses, and of its facet. */
  readonly identifier: string;
  /** Title. */
  readonly title: string;
  /** What it covers. */
  readonly description: string;
  /** Its address elsewhere. */
  readonly uri: string | null;
  /** A search can be narrowed by its words. */
  readonly facet: boolean;
  /** Place among the facets. */
  readonly position: number;
  /** Address of this record. */
  readonly link: string;
};

export type ThesaurusChange = {
  /** Name in addresses, and of its facet. */
  readonly identifier?: string;
  /** Title. */
  readonly title?: string;
  /** What it covers. */
  readonly description?: string | null;
  /** Its address elsewhere. */
  readonly uri?: string | null;
  /** A search can be narrowed by its words. */
  readonly facet?: boolean;
  /** Place among the facets. */
  readonly position?: number;
};

export type ThesaurusChangeById = {
  readonly id: number;
  /** Name in addresses, and of its facet. */
  readonly identifier?: string;
  /** Title. */
  readonly title?: string;
  /** What it covers. */
  readonly description?: string | null;
  /** Its address elsewhere. */
  readonly uri?: string | null;
  /** A search can be narrowed by its words. */
  readonly facet?: boolean;
  /** Place among the facets. */
  readonly position?: number;
};

export type ThesaurusInput = {
  /** Name in addresses, and of its facet. */
  readonly identifier: string;
  /** Title. */
  readonly title: string;
  /** What it covers. */
  readonly description?: string | null;
  /** Its address elsewhere. */
  readonly uri?: string | null;
  /** A search can be narrowed by its words. */
  readonly facet?: boolean;
  /** Place among the facets. */
  readonly position?: number;
};

export type ThesaurusList = {
  readonly links: {
    readonly next: string | null;
    readonly previous: string | null;
  };
  readonly total: number;
  readonly page: number;
  readonly page_size: number;
  readonly thesauri: ReadonlyArray<Thesaurus>;
};

export type ThesaurusName = {
  /** Id. */
  readonly pk: number;
  /** Title. */
  readonly name: string;
  /** Name in addresses. */
  readonly slug: string;
  /** Its address elsewhere. */
  readonly uri: string | null;
};

export type Tkeyword = {
  /** Id. */
  readonly pk: number;
  /** The word. */
  readonly name: string;
  /** The word as it stands in addresses. */
  readonly slug: string;
  /** Its address elsewhere. */
  readonly uri: string | null;
  readonly thesaurus: ThesaurusName;
  /** Labels by language: `{"de": "Wasser"}`. */
  readonly i18n: Readonly<Record<string, unknown>>;
  /** The word, as clients of GeoNode filter by it. */
  readonly alt_label: string;
  /** Items that the caller sees. */
  readonly count: number;
  /** Address of this record. */
  readonly link: string;
};

export type TkeywordChange = {
  /** The word. */
  readonly name?: string;
  /** Its address elsewhere. */
  readonly uri?: string | null;
  /** Where it is from; by id, `slug` or object. */
  readonly thesaurus?: number | string | Readonly<Record<string, unknown>> | null;
  /** Labels by language: `{"de": "Wasser"}`. */
  readonly i18n?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type TkeywordChangeById = {
  readonly id: number;
  /** The word. */
  readonly name?: string;
  /** Its address elsewhere. */
  readonly uri?: string | null;
  /** Where it is from; by id, `slug` or object. */
  readonly thesaurus?: number | string | Readonly<Record<string, unknown>> | null;
  /** Labels by language: `{"de": "Wasser"}`. */
  readonly i18n?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type TkeywordInput = {
  /** The word. */
  readonly name: string;
  /** Its address elsewhere. */
  readonly uri?: string | null;
  /** Where it is from; by id, `slug` or object. */
  readonly thesaurus: number | string | Readonly<Record<string, unknown>> | null;
  /** Labels by language: `{"de": "Wasser"}`. */
  readonly i18n?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type TkeywordList = {
  readonly links: {
    readonly next: string | null;
    readonly previous: string | null;
  };
  readonly total: number;
  readonly page: number;
  readonly page_size: number;
  readonly tkeywords: ReadonlyArray<Tkeyword>;
};

export type Updated = {
  readonly meta: {
    readonly updated: number;
    /** Members of the body that no field has. */
    readonly ignored?: ReadonlyArray<string>;
  };
};

export type Upload = {
  /** Upload id. */
  readonly id: number;
  /** Layer name. */
  readonly name: string;
  /** Start of the import. */
  readonly date: string;
  /** Creation of the upload. */
  readonly create_date: string;
  /** Id of the user. */
  readonly user: number | null;
  /** State of the import: READY, PENDING, WAITING, RUNNING, COMPLETE, PROCESSED, INVALID, INCOMPLETE. */
  readonly state: string;
  /** Progress in percent. */
  readonly progress: number;
  /** The import is done. */
  readonly complete: boolean;
  /** Id of the import in the map server. */
  readonly import_id: number | null;
  /** Uploaded files; empty until the layer exists. */
  readonly uploadfile_set: ReadonlyArray<UploadFile>;
  /** Where to answer, while a question is open. */
  readonly resume_url: string | null;
  /** Where to delete the import, until it is done. */
  readonly delete_url: string | null;
  /** Where the map server tells how far it is. */
  readonly import_url: string | null;
  /** Page of the layer, once it is there. */
  readonly detail_url: string | null;
  /** The layer; only with `full=true`. */
  readonly layer?: Layer | null;
  /** What was asked for and answered; only with `full=true`. */
  readonly session?: Readonly<Record<string, unknown>>;
};

export type UploadChange = {
  /** Layer name. */
  readonly name?: string;
};

export type UploadChangeById = {
  readonly id: number;
  /** Layer name. */
  readonly name?: string;
};

export type UploadFile = {
  /** Id of the file. */
  readonly pk: number;
  /** Name of the file. */
  readonly name: string;
  /** The name as it stands in addresses. */
  readonly slug: string;
  /** The main file of the layer. */
  readonly base: boolean;
  /** Address of the file. */
  readonly file: string;
};

export type UploadInput = {
  /** Layer name. */
  readonly name: string;
};

export type UploadList = {
  readonly links: {
    readonly next: string | null;
    readonly previous: string | null;
  };
  readonly total: number;
  readonly page: number;
  readonly page_size: number;
  readonly uploads: ReadonlyArray<Upload>;
};

export type UploadResult = {
  readonly upload_id: number;
  readonly state: string;
  readonly status: "finished" | "pending" | "incomplete" | "error";
  readonly success: boolean;
  /** Of the layer, once it is there; of the import before. */
  readonly id: number;
  readonly url: string;
  readonly redirect_to: string | null;
  readonly bbox?: string;
  readonly crs?: {
    readonly type: string;
    readonly properties: string;
  };
  readonly layers?: ReadonlyArray<{
    readonly id?: number;
    readonly url?: string;
  }>;
  /** What was read or is drawn in another way than the files have it, such as a symbol of a style. */
  readonly warnings?: ReadonlyArray<string>;
  readonly question?: Readonly<Record<string, unknown>> | null;
  readonly error_msg?: string;
  readonly meta?: Ignored;
};

export type User = {
  /** Id of the account. */
  readonly pk: number;
  /** Name to sign in with. */
  readonly username: string;
  /** First name. */
  readonly first_name: string;
  /** Last name. */
  readonly last_name: string;
  /** Address of a picture. */
  readonly avatar: string;
  /** `add_resource` when the account may create content. */
  readonly perms: ReadonlyArray<"add_resource">;
  /** Administrator. Set by administrators. */
  readonly is_superuser: boolean;
  /** May change whatever it sees. Set by administrators. */
  readonly is_staff: boolean;
  /** May sign in. Set by administrators. */
  readonly is_active?: boolean;
  /** Mail address. Only with `include[]=email`. Administrators set it here, everybody their own by `POST /account/email/`. */
  readonly email?: string;
  /** When the account was made. */
  readonly date_joined?: string;
  /** When somebody last signed in with it. */
  readonly last_login?: string | null;
};

export type UserChange = {
  /** Name to sign in with. */
  readonly username?: string;
  /** First name. */
  readonly first_name?: string | null;
  /** Last name. */
  readonly last_name?: string | null;
  /** Administrator. Set by administrators. */
  readonly is_superuser?: boolean;
  /** May change whatever it sees. Set by administrators. */
  readonly is_staff?: boolean;
  /** May sign in. Set by administrators. */
  readonly is_active?: boolean;
  /** Mail address. Only with `include[]=email`. Administrators set it here, everybody their own by `POST /account/email/`. */
  readonly email?: string;
  /** Password of a new account, or a new one; only administrators give it here. */
  readonly password?: string;
};

export type UserChangeById = {
  readonly id: number;
  /** Name to sign in with. */
  readonly username?: string;
  /** First name. */
  readonly first_name?: string | null;
  /** Last name. */
  readonly last_name?: string | null;
  /** Administrator. Set by administrators. */
  readonly is_superuser?: boolean;
  /** May change whatever it sees. Set by administrators. */
  readonly is_staff?: boolean;
  /** May sign in. Set by administrators. */
  readonly is_active?: boolean;
  /** Mail address. Only with `include[]=email`. Administrators set it here, everybody their own by `POST /account/email/`. */
  readonly email?: string;
  /** Password of a new account, or a new one; only administrators give it here. */
  readonly password?: string;
};

export type UserInput = {
  /** Name to sign in with. */
  readonly username: string;
  /** First name. */
  readonly first_name?: string | null;
  /** Last name. */
  readonly last_name?: string | null;
  /** Administrator. Set by administrators. */
  readonly is_superuser?: boolean;
  /** May change whatever it sees. Set by administrators. */
  readonly is_staff?: boolean;
  /** May sign in. Set by administrators. */
  readonly is_active?: boolean;
  /** Mail address. Only with `include[]=email`. Administrators set it here, everybody their own by `POST /account/email/`. */
  readonly email?: string;
  /** Password of a new account, or a new one; only administrators give it here. */
  readonly password?: string;
};

export type UserList = {
  readonly links: {
    readonly next: string | null;
    readonly previous: string | null;
  };
  readonly total: number;
  readonly page: number;
  readonly page_size: number;
  readonly users: ReadonlyArray<User>;
};

export type ViewerResource = {
  /** Id of the map. */
  readonly id: number;
  /** Name of its owner. */
  readonly user: string;
  /** Layers of the map. */
  readonly layers: ReadonlyArray<MapLayer>;
  /** Name. */
  readonly name: string;
  /** When it was made. */
  readonly creation_date: string;
  /** When it was last changed. */
  readonly last_update: string;
  /** The whole configuration of the viewer; shown with `full=true`. */
  readonly data?: Readonly<Record<string, unknown>> | null;
  /** `[{name, type, label, value}]`; shown with `full=true`. */
  readonly attributes?: ReadonlyArray<unknown> | null;
};

export type ViewerResourceChange = {
  /** Name. */
  readonly name?: string;
  /** The whole configuration of the viewer; shown with `full=true`. */
  readonly data?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string | null;
  /** `[{name, type, label, value}]`; shown with `full=true`. */
  readonly attributes?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string | null;
  /** Who may do what, as `set_perms` takes it: `{"users": {}, "groups": {}}` is nobody but the owner. Not sent: as the settings have it. */
  readonly permissions?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type ViewerResourceInput = {
  /** Name. */
  readonly name: string;
  /** The whole configuration of the viewer; shown with `full=true`. */
  readonly data?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string | null;
  /** `[{name, type, label, value}]`; shown with `full=true`. */
  readonly attributes?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string | null;
  /** Who may do what, as `set_perms` takes it: `{"users": {}, "groups": {}}` is nobody but the owner. Not sent: as the settings have it. */
  readonly permissions?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> | string;
};

export type ViewerUser = {
  /** Id of the account. */
  readonly id: number;
  /** Address of this record. */
  readonly url: string;
  /** Name to sign in with. */
  readonly username: string;
  /** Mail address. Only with `include[]=email`. Administrators set it here, everybody their own by `POST /account/email/`. */
  readonly email: string;
  /** May change whatever it sees. Set by administrators. */
  readonly is_staff: boolean;
  /** May sign in. Set by administrators. */
  readonly is_active: boolean;
  /** Administrator. Set by administrators. */
  readonly is_superuser: boolean;
  /** First name. */
  readonly first_name: string;
  /** Last name. */
  readonly last_name: string;
};

export type ViewerUserChange = {
  /** Name to sign in with. */
  readonly username?: string;
  /** Mail address. Only with `include[]=email`. Administrators set it here, everybody their own by `POST /account/email/`. */
  readonly email?: string;
  /** May change whatever it sees. Set by administrators. */
  readonly is_staff?: boolean;
  /** May sign in. Set by administrators. */
  readonly is_active?: boolean;
  /** Administrator. Set by administrators. */
  readonly is_superuser?: boolean;
  /** First name. */
  readonly first_name?: string | null;
  /** Last name. */
  readonly last_name?: string | null;
  /** Password of a new account, or a new one; only administrators give it here. */
  readonly password?: string;
};

export type ViewerUserInput = {
  /** Name to sign in with. */
  readonly username: string;
  /** Mail address. Only with `include[]=email`. Administrators set it here, everybody their own by `POST /account/email/`. */
  readonly email?: string;
  /** May change whatever it sees. Set by administrators. */
  readonly is_staff?: boolean;
  /** May sign in. Set by administrators. */
  readonly is_active?: boolean;
  /** Administrator. Set by administrators. */
  readonly is_superuser?: boolean;
  /** First name. */
  readonly first_name?: string | null;
  /** Last name. */
  readonly last_name?: string | null;
  /** Password of a new account, or a new one; only administrators give it here. */
  readonly password?: string;
};

export type Operations = {
  /** Delete the own account: its items go to `hand_over_to`, or into the bin, from which administrators restore them. */
  readonly 'POST /account/delete/': {
    readonly body: {
      /** Somebody who shares a group with the account, or an administrator. */
      readonly hand_over_to?: string;
      readonly password?: string;
      /** Of the second factor, in place of the password. */
      readonly code?: string;
    };
    readonly answer: undefined;
  };
  /** Ask for a link that makes another mail address one’s own; sent to that address. */
  readonly 'POST /account/email/': {
    readonly body: {
      readonly email: string;
      /** The password of the account; or `code`. */
      readonly password?: string;
      /** A code of the authenticator app, or a recovery code, where there is no password. */
      readonly code?: string;
    };
    readonly answer: Readonly<Record<string, unknown>>;
  };
  /** Send somebody a link to make an account, as an administrator. */
  readonly 'POST /account/invite/': {
    readonly body: {
      readonly email: string;
    };
    readonly answer: Readonly<Record<string, unknown>>;
  };
  /** What a link from a letter is for. */
  readonly 'POST /account/link/': {
    readonly body: {
      /** What stands behind `#` in the link. */
      readonly token: string;
    };
    readonly answer: {
      readonly purpose: "password" | "registration" | "email";
      readonly username: string | null;
      readonly email: string;
    };
  };
  /** Use a link from a letter, once. */
  readonly 'POST /account/link/use/': {
    readonly body: {
      /** What stands behind `#` in the link. */
      readonly token: string;
      /** Of a new account. */
      readonly username?: string;
      /** The new one, where the link is for it. */
      readonly password?: string;
      readonly first_name?: string;
      readonly last_name?: string;
    };
    readonly answer: {
      readonly username: string;
      /** Of a link for another mail address. */
      readonly email?: string;
      /** Of a new account: false where an administrator has to switch it on. */
      readonly is_active?: boolean;
    };
  };
  /** Sign in with a passkey. */
  readonly 'POST /account/login/passkey/': {
    readonly body: {
      readonly response: Readonly<Record<string, unknown>>;
    };
    readonly answer: {
      readonly user: Readonly<Record<string, unknown>>;
    };
  };
  /** What the browser is told to make or use a passkey (WebAuthn). */
  readonly 'POST /account/login/passkey/options/': {
    readonly body: Readonly<Record<string, unknown>>;
    readonly answer: Readonly<Record<string, unknown>>;
  };
  /** The second step of signing in: a code, after POST /account/login/ was answered 202. */
  readonly 'POST /account/login/second/': {
    readonly body: {
      /** Six digits of the app, or a recovery code. */
      readonly code: string;
    };
    readonly answer: {
      readonly user: Readonly<Record<string, unknown>>;
    };
  };
  /** Where the provider sends people back to; leads on, signed in, or to the sign-in page. */
  readonly 'GET /account/oidc/callback': {
    readonly query: {
      readonly code?: string;
    };
    readonly answer: unknown;
  };
  /** Whether one’s own account is linked to the provider of the settings. */
  readonly 'GET /account/oidc/link/': {
    readonly answer: {
      readonly is_linked: boolean;
      readonly since: string | null;
    };
  };
  /** Begin to link one’s own account to a person of the provider, with password or code. */
  readonly 'POST /account/oidc/link/': {
    readonly body: {
      readonly password?: string;
      /** Six digits of the app, or a recovery code. */
      readonly code?: string;
    };
    readonly answer: {
      /** Where the browser is to go. */
      readonly url: string;
    };
  };
  /** Take the link to the provider back, with password or code; the last way into an account stays. */
  readonly 'DELETE /account/oidc/link/': { readonly body: Operations['POST /account/oidc/link/']['body']; readonly answer: undefined };
  /** Begin to sign in with the provider of the settings; leads there. */
  readonly 'GET /account/oidc/start': {
    readonly query: {
      readonly next?: string;
    };
    readonly answer: unknown;
  };
  /** Add a passkey that the browser has made. */
  readonly 'POST /account/passkeys/': {
    readonly body: {
      readonly name: string;
      readonly response: Readonly<Record<string, unknown>>;
    };
    readonly answer: {
      readonly id: number;
      /** With the first factor of an account. */
      readonly recovery_codes: ReadonlyArray<string>;
    };
  };
  /** What the browser is told to make or use a passkey (WebAuthn). */
  readonly 'POST /account/passkeys/options/': {
    readonly body: Operations['POST /account/oidc/link/']['body'];
    readonly answer: Readonly<Record<string, unknown>>;
  };
  /** Remove a passkey of one’s own. */
  readonly 'DELETE /account/passkeys/{id}/': { readonly body: Operations['POST /account/oidc/link/']['body']; readonly answer: undefined };
  /** Ask for a link to choose a new password; answered alike whether there is such an account or not. */
  readonly 'POST /account/password/forgotten/': {
    readonly body: {
      /** A user name or a mail address. */
      readonly login: string;
    };
    readonly answer: Readonly<Record<string, unknown>>;
  };
  /** Ask for a link to make an account. */
  readonly 'POST /account/register/': {
    readonly body: {
      readonly email: string;
    };
    readonly answer: Readonly<Record<string, unknown>>;
  };
  /** One’s own second factor. */
  readonly 'GET /account/second-factor/': {
    readonly answer: {
      readonly totp: boolean;
      /** How many are left. */
      readonly recovery_codes: number;
      readonly has_password: boolean;
      readonly passkeys: ReadonlyArray<{
        readonly id: number;
        readonly name: string;
        readonly created: string;
        readonly last_used: string | null;
      }>;
      readonly is_required: boolean;
    };
  };
  /** Make new recovery codes, with a code; the old ones end. */
  readonly 'POST /account/second-factor/recovery-codes/': {
    readonly body: Operations['POST /account/login/second/']['body'];
    readonly answer: {
      readonly recovery_codes: ReadonlyArray<string>;
    };
  };
  /** Make a secret for an authenticator app; it counts when its first code was sent. */
  readonly 'POST /account/second-factor/totp/': {
    readonly body: Operations['POST /account/oidc/link/']['body'];
    readonly answer: {
      /** In base 32, for apps without a camera. */
      readonly secret: string;
      /** What a QR code for apps says (otpauth). */
      readonly address: string;
    };
  };
  /** Switch the second factor on with its first code; the recovery codes are in this answer alone. */
  readonly 'PUT /account/second-factor/totp/': {
    readonly body: Operations['POST /account/login/second/']['body'];
    readonly answer: {
      readonly recovery_codes: ReadonlyArray<string>;
    };
  };
  /** Remove one’s second factor, with a code. */
  readonly 'DELETE /account/second-factor/totp/': { readonly body: Operations['POST /account/login/second/']['body']; readonly answer: undefined };
  /** The list in the form of API v1, for reading. */
  readonly 'GET /api/base/': {
    readonly query: Pick<Parameters, 'limit' | 'offset' | 'order_by' | 'q'>;
    readonly answer: {
      readonly meta: {
        readonly limit: number;
        readonly offset: number;
        readonly total_count: number;
        readonly next: string | null;
        readonly previous: string | null;
        /** Parameters that mean nothing here. */
        readonly ignored?: ReadonlyArray<string>;
      };
      readonly objects: ReadonlyArray<Readonly<Record<string, unknown>>>;
    };
  };
  /** One record. */
  readonly 'GET /api/base/{id}/': { readonly answer: Readonly<Record<string, unknown>> };
  /** The list in the form of API v1, for reading. */
  readonly 'GET /api/categories/': {
    readonly query: Pick<Parameters, 'limit' | 'offset' | 'order_by' | 'q'>;
    readonly answer: Operations['GET /api/base/']['answer'];
  };
  /** One record. */
  readonly 'GET /api/categories/{id}/': { readonly answer: Readonly<Record<string, unknown>> };
  /** The list in the form of API v1, for reading. */
  readonly 'GET /api/documents/': {
    readonly query: Pick<Parameters, 'limit' | 'offset' | 'order_by' | 'q'>;
    readonly answer: Operations['GET /api/base/']['answer'];
  };
  /** One record. */
  readonly 'GET /api/documents/{id}/': { readonly answer: Readonly<Record<string, unknown>> };
  /** The list in the form of API v1, for reading. */
  readonly 'GET /api/groups/': {
    readonly query: Pick<Parameters, 'limit' | 'offset' | 'order_by' | 'q'>;
    readonly answer: Operations['GET /api/base/']['answer'];
  };
  /** One record. */
  readonly 'GET /api/groups/{id}/': { readonly answer: Readonly<Record<string, unknown>> };
  /** The list in the form of API v1, for reading. */
  readonly 'GET /api/keywords/': {
    readonly query: Pick<Parameters, 'limit' | 'offset' | 'order_by' | 'q'>;
    readonly answer: Operations['GET /api/base/']['answer'];
  };
  /** One record. */
  readonly 'GET /api/keywords/{id}/': { readonly answer: Readonly<Record<string, unknown>> };
  /** The list in the form of API v1, for reading. */
  readonly 'GET /api/layers/': {
    readonly query: Pick<Parameters, 'limit' | 'offset' | 'order_by' | 'q'>;
    readonly answer: Operations['GET /api/base/']['answer'];
  };
  /** One record. */
  readonly 'GET /api/layers/{id}/': { readonly answer: Readonly<Record<string, unknown>> };
  /** The list in the form of API v1, for reading. */
  readonly 'GET /api/maps/': {
    readonly query: Pick<Parameters, 'limit' | 'offset' | 'order_by' | 'q'>;
    readonly answer: Operations['GET /api/base/']['answer'];
  };
  /** One record. */
  readonly 'GET /api/maps/{id}/': { readonly answer: Readonly<Record<string, unknown>> };
  /** The list in the form of API v1, for reading. */
  readonly 'GET /api/owners/': {
    readonly query: Pick<Parameters, 'limit' | 'offset' | 'order_by' | 'q'>;
    readonly answer: Operations['GET /api/base/']['answer'];
  };
  /** One record. */
  readonly 'GET /api/owners/{id}/': { readonly answer: Readonly<Record<string, unknown>> };
  /** The list in the form of API v1, for reading. */
  readonly 'GET /api/profiles/': {
    readonly query: Pick<Parameters, 'limit' | 'offset' | 'order_by' | 'q'>;
    readonly answer: Operations['GET /api/base/']['answer'];
  };
  /** One record. */
  readonly 'GET /api/profiles/{id}/': { readonly answer: Readonly<Record<string, unknown>> };
  /** The list in the form of API v1, for reading. */
  readonly 'GET /api/regions/': {
    readonly query: Pick<Parameters, 'limit' | 'offset' | 'order_by' | 'q'>;
    readonly answer: Operations['GET /api/base/']['answer'];
  };
  /** One record. */
  readonly 'GET /api/regions/{id}/': { readonly answer: Readonly<Record<string, unknown>> };
  /** List. */
  readonly 'GET /api/v2/': {
    readonly answer: {
      readonly documents: string;
      readonly geoapps: string;
      readonly geostories: string;
      readonly groups: string;
      readonly layers: string;
      readonly maps: string;
      readonly resources: string;
      readonly uploads: string;
      readonly users: string;
    };
  };
  /** One’s own access tokens, without their text. */
  readonly 'GET /api/v2/access-tokens/': {
    readonly answer: {
      readonly access_tokens: ReadonlyArray<{
        readonly id: number;
        readonly name: string;
        readonly scope: "read" | "write";
        readonly created: string;
        readonly expires: string;
      }>;
    };
  };
  /** Make an access token for scripts; its text is in this answer alone. */
  readonly 'POST /api/v2/access-tokens/': {
    readonly body: {
      readonly name: string;
      readonly scope?: "read" | "write";
      readonly days?: number;
    };
    readonly answer: {
      readonly id: number;
      readonly name: string;
      readonly scope: "read" | "write";
      readonly created: string;
      readonly expires: string;
      readonly token: string;
    };
  };
  /** Revoke an access token. */
  readonly 'DELETE /api/v2/access-tokens/{id}/': { readonly answer: undefined };
  /** What those lack with whom something would be shared, before it is saved. */
  readonly 'POST /api/v2/audience/': {
    readonly body: {
      /** The item that it is about; not sent of one that does not exist yet. */
      readonly item?: number | null;
      /** As `set_perms` takes them. */
      readonly permissions: SentPermissions;
      /** What a dashboard or story would say; `{"layers": [id, …]}` of a map. Not sent: as it is saved. */
      readonly data?: unknown;
    };
    readonly answer: Audience;
  };
  /** The audit log, newest first; for administrators. */
  readonly 'GET /api/v2/audit/': {
    readonly query: Pick<Parameters, 'before' | 'limit' | 'name'> & {
      readonly act?: string;
      readonly actor?: string;
      readonly since?: string;
      readonly until?: string;
      readonly export?: "json" | "ndjson" | "csv";
    };
    readonly answer: {
      readonly entries: ReadonlyArray<{
        readonly id: number;
        readonly at: string;
        readonly actor: number | null;
        readonly actor_name: string | null;
        readonly act: string;
        readonly subject: string;
        readonly subject_id: number | null;
        readonly name: string | null;
        readonly detail: unknown;
      }>;
      readonly next: string | null;
    };
  };
  /** What maps can be drawn on, besides the packaged map of the world. */
  readonly 'GET /api/v2/basemaps/': {
    readonly answer: {
      /** An id; null: the packaged map of the world. */
      readonly default: string | null;
      readonly basemaps: ReadonlyArray<{
        readonly id: string;
        readonly title: string;
        /** Plain text; empty where nothing has to be said. */
        readonly attribution: string;
        readonly attribution_url: string | null;
        /** What browsers ask for it, besides the portal. */
        readonly sites: ReadonlyArray<string>;
        /** The settings of the program name it; administrators cannot switch it off here. */
        readonly is_setting: boolean;
        readonly kind: "style";
        /** Address of a MapLibre style. */
        readonly style: string;
        /** The same for dark pages. */
        readonly dark_style: string | null;
      } | {
        readonly id: string;
        readonly title: string;
        /** Plain text; empty where nothing has to be said. */
        readonly attribution: string;
        readonly attribution_url: string | null;
        /** What browsers ask for it, besides the portal. */
        readonly sites: ReadonlyArray<string>;
        /** The settings of the program name it; administrators cannot switch it off here. */
        readonly is_setting: boolean;
        readonly kind: "raster";
        /** Addresses with {z}, {x} and {y}, or {bbox-epsg-3857}. */
        readonly tiles: ReadonlyArray<string>;
        readonly tile_size: number;
        readonly minzoom: number;
        readonly maxzoom: number;
        readonly bounds: ReadonlyArray<number> | null;
      }>;
      /** Archives of which nothing can be drawn now. */
      readonly unreadable: ReadonlyArray<{
        readonly id: string;
        readonly title: string;
        readonly reason: string;
        /** The settings of the program name it; administrators cannot switch it off here. */
        readonly is_setting: boolean;
      }>;
    };
  };
  /** Switch on a basemap; for administrators. Members are those of the setting `basemaps`; archives (pmtiles) are named by `url`. */
  readonly 'POST /api/v2/basemaps/': {
    readonly body: {
      readonly id: string;
      readonly type: "style" | "xyz" | "wmts" | "wms" | "pmtiles";
      readonly url: string | ReadonlyArray<string>;
    };
    readonly answer: {
      readonly basemap: {
        readonly id: string;
      };
    };
  };
  /** Uploaded archives, also those that are switched off; for administrators. */
  readonly 'GET /api/v2/basemaps/archives/': {
    readonly answer: {
      readonly archives: ReadonlyArray<{
        readonly id: string;
        readonly title: string;
        readonly attribution: string;
        readonly bytes: number;
        /** It can be chosen for maps. */
        readonly on: boolean;
      }>;
    };
  };
  /** Upload a PMTiles archive and switch it on; for administrators. */
  readonly 'POST /api/v2/basemaps/archives/': { readonly body: FormData; readonly answer: Operations['POST /api/v2/basemaps/']['answer'] };
  /** Basemaps that need no key, for an administrator to switch on. */
  readonly 'GET /api/v2/basemaps/presets/': {
    readonly answer: {
      readonly presets: ReadonlyArray<{
        readonly id: string;
        readonly title: string;
        readonly licence: string;
        readonly licence_url: string;
        /** What those who serve it expect of others. */
        readonly terms_url: string;
        readonly definition: {
          readonly title: string;
          readonly type: "style" | "xyz" | "wmts" | "wms" | "pmtiles";
          readonly url: string;
          readonly attribution: string;
          readonly attribution_url: string;
        };
      }>;
    };
  };
  /** Make a basemap the one that is shown unless another is chosen, or no longer; switch an uploaded archive off and on; for administrators. */
  readonly 'PATCH /api/v2/basemaps/{id}/': {
    readonly body: {
      readonly default?: boolean;
      /** Of an uploaded archive. */
      readonly on?: boolean;
    };
    readonly answer: Updated;
  };
  /** Switch a basemap off, and remove its file if it was uploaded; for administrators. Maps that were saved with it are drawn on the packaged map. */
  readonly 'DELETE /api/v2/basemaps/{id}/': { readonly answer: undefined };
  /** What was deleted and can still be restored by the caller, newest first. */
  readonly 'GET /api/v2/bin/': {
    readonly query: {
      readonly page?: number;
    };
    readonly answer: {
      readonly items: ReadonlyArray<{
        readonly id: number;
        readonly resource_type: "layer" | "map" | "document" | "geoapp" | "geostory";
        readonly title: string;
        readonly owner: string | null;
        readonly deleted: string;
        readonly deleted_by: string | null;
        readonly until: string;
        readonly may_purge: boolean;
        /** A layer without geometry. */
        readonly is_table: boolean;
      }>;
      readonly total: number;
      readonly page: number;
      readonly page_size: number;
    };
  };
  /** Delete it for ever, with its data and files. */
  readonly 'DELETE /api/v2/bin/{id}/': { readonly answer: undefined };
  /** Restore it from the bin, as it was. */
  readonly 'POST /api/v2/bin/{id}/restore/': { readonly answer: Updated };
  /** List. */
  readonly 'GET /api/v2/categories/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'exclude[]' | 'sideloading'>;
    readonly answer: CategoryList;
  };
  /** One record. */
  readonly 'GET /api/v2/categories/{id}/': {
    readonly query: Pick<Parameters, 'exclude[]' | 'sideloading'>;
    readonly answer: {
      readonly category: Category;
    };
  };
  /** Coordinate systems by words of their name, or by their code. */
  readonly 'GET /api/v2/crs/': {
    readonly query: {
      readonly search?: string;
    };
    readonly answer: {
      readonly crs: ReadonlyArray<{
        readonly code: string;
        readonly name: string;
      }>;
    };
  };
  /** Tables and views of the database besides the portal, for administrators. */
  readonly 'GET /api/v2/database_tables/': {
    readonly query: {
      readonly search?: string;
    };
    readonly answer: {
      readonly tables: ReadonlyArray<{
        readonly schema: string;
        readonly name: string;
        readonly kind: "table" | "view" | "materialized view" | "foreign table";
        /** Its primary key, where that is one column. */
        readonly key: string | null;
        /** Without geometries. */
        readonly columns: ReadonlyArray<string>;
        /** The column with places; null: it becomes a plain table. */
        readonly geometry: string | null;
        /** Why it cannot be registered. */
        readonly fault: string | null;
        /** The layer that it is registered as. */
        readonly layer: string | null;
      }>;
    };
  };
  /** Register a table or view of the database as a layer; nothing is copied. */
  readonly 'POST /api/v2/database_tables/': {
    readonly body: {
      readonly schema: string;
      readonly table: string;
      readonly title?: string;
      readonly abstract?: string;
      /** Column that names its rows, where it has no primary key. */
      readonly key?: string;
      readonly permissions?: SentPermissions;
    };
    readonly answer: {
      readonly layer: Layer;
    };
  };
  /** List. */
  readonly 'GET /api/v2/datasets/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'extent' | 'include[]' | 'exclude[]' | 'sideloading'>;
    readonly answer: DatasetList;
  };
  /** Create one or several. */
  readonly 'POST /api/v2/datasets/': {
    readonly body: DatasetInput | {
      readonly dataset: DatasetInput;
    } | {
      readonly datasets: ReadonlyArray<DatasetInput>;
    } | ReadonlyArray<DatasetInput>;
    readonly answer: {
      readonly dataset: Layer;
      readonly meta?: Ignored;
    } | {
      readonly datasets: ReadonlyArray<Layer>;
      readonly meta?: Ignored;
    };
  };
  /** Change several. */
  readonly 'PATCH /api/v2/datasets/': {
    readonly query: Pick<Parameters, 'patch-all' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'extent'>;
    readonly body: ReadonlyArray<DatasetChangeById> | {
      readonly datasets: ReadonlyArray<DatasetChangeById>;
    } | DatasetChange | {
      readonly dataset: DatasetChange;
    };
    readonly answer: {
      readonly datasets?: ReadonlyArray<Layer>;
      readonly meta: NonNullable<Updated['meta']>;
    };
  };
  /** Delete several. */
  readonly 'DELETE /api/v2/datasets/': {
    readonly body: ReadonlyArray<{
      readonly id: number;
    }> | {
      readonly datasets: ReadonlyArray<{
        readonly id: number;
      }>;
    };
    readonly answer: undefined;
  };
  /** Make a new layer without features, or a table, from a form: columns, geometry, coordinate system. */
  readonly 'POST /api/v2/datasets/empty/': {
    readonly body: {
      readonly title: string;
      /** Made of the title where it is not given. */
      readonly name?: string;
      readonly abstract?: string;
      /** `none`: a table without places. */
      readonly geometry: "point" | "line" | "polygon" | "any" | "none";
      readonly crs?: string;
      readonly columns?: ReadonlyArray<{
        /** What people call it; its name in the table is made of it. */
        readonly name: string;
        readonly type: "text" | "integer" | "bigint" | "double precision" | "numeric" | "boolean" | "date" | "time" | "timestamptz" | "uuid" | "jsonb";
        readonly required?: boolean;
      }>;
      readonly permissions?: SentPermissions;
    };
    readonly answer: {
      readonly dataset: Layer;
    };
  };
  /** Make a layer of what an address holds, and renew it on a timetable. */
  readonly 'POST /api/v2/datasets/follow/': {
    readonly body: {
      readonly title?: string;
      /** A file (CSV, GeoJSON and others), a collection of OGC API Features, or a WFS. */
      readonly kind?: "file" | "features" | "wfs";
      readonly address: string;
      /** The feature type of a WFS. */
      readonly type_name?: string | null;
      /** The column by which rows are found again, so that the history has the differences; without it all rows are replaced. */
      readonly key?: string | null;
      readonly every_minutes?: number;
      readonly paused?: boolean;
    };
    readonly answer: {
      /** The import, to be followed as any other. */
      readonly upload: number;
    };
  };
  /** One record. */
  readonly 'GET /api/v2/datasets/{id}/': {
    readonly query: Pick<Parameters, 'include[]' | 'exclude[]' | 'sideloading'>;
    readonly answer: {
      readonly dataset: Layer;
    };
  };
  /** Replace. */
  readonly 'PUT /api/v2/datasets/{id}/': {
    readonly body: DatasetInput;
    readonly answer: {
      readonly dataset?: Layer;
      readonly meta: NonNullable<Updated['meta']>;
    };
  };
  /** Change. */
  readonly 'PATCH /api/v2/datasets/{id}/': {
    readonly body: DatasetChange;
    readonly answer: Operations['PUT /api/v2/datasets/{id}/']['answer'];
  };
  /** Delete. */
  readonly 'DELETE /api/v2/datasets/{id}/': { readonly answer: undefined };
  /** Send the files of a layer. */
  readonly 'POST /api/v2/datasets/{id}/append/': { readonly body: FormData; readonly answer: AcceptedUpload };
  /** Send the files of a layer. */
  readonly 'PUT /api/v2/datasets/{id}/append/': { readonly body: FormData; readonly answer: AcceptedUpload };
  /** What is related to it. */
  readonly 'GET /api/v2/datasets/{id}/attribute_set/': {
    readonly answer: {
      readonly attributes: ReadonlyArray<Attribute>;
    };
  };
  /** Fill a column, or a new one, with an expression; what was there is kept for 30 days. */
  readonly 'POST /api/v2/datasets/{id}/calculate/': {
    readonly body: {
      /** A column of the layer. */
      readonly column?: string;
      /** Or a column that is added for it. */
      readonly new_column?: {
        readonly name: string;
        readonly type?: "text" | "integer" | "bigint" | "double precision" | "numeric" | "boolean" | "date" | "time" | "timestamptz" | "uuid" | "jsonb";
      };
      /** CQL2 with functions, as text or as JSON. */
      readonly expression: unknown;
      /** The rows that are meant, in CQL2, as text or as JSON; all of them without. */
      readonly filter?: unknown;
      /** What becomes of values that cannot be read: nothing is done at all, the cell is emptied, or left as it is. */
      readonly unreadable?: "refuse" | "empty" | "keep";
    };
    readonly answer: {
      readonly column: string;
      readonly type: string;
      readonly rows: {
        /** That the condition is true of. */
        readonly matching: number;
        readonly changed: number;
        /** In which something cannot be read, or has no place in the column. */
        readonly unreadable: number;
        /** That rules of the table keep as they are. */
        readonly held_back: number;
      };
      /** By which it is undone: POST …/kept/{kept}/restore/. */
      readonly kept: number;
    };
  };
  /** What a calculation would do: counts, and ten rows before and after; nothing is changed. */
  readonly 'POST /api/v2/datasets/{id}/calculate/preview/': {
    readonly body: Operations['POST /api/v2/datasets/{id}/calculate/']['body'];
    readonly answer: {
      /** Of the column. */
      readonly type: string;
      readonly rows: {
        /** That the condition is true of. */
        readonly matching: number;
        readonly changed: number;
        /** In which something cannot be read, or has no place in the column. */
        readonly unreadable: number;
      };
      /** Ten rows at most. */
      readonly changes: ReadonlyArray<{
        readonly key: unknown;
        /** Of the columns that the expression reads. */
        readonly values: Readonly<Record<string, unknown>>;
        readonly before: unknown;
        readonly after: unknown;
      }>;
      /** Ten rows at most. */
      readonly unreadable: ReadonlyArray<{
        readonly key: unknown;
        /** Of the columns that the expression reads. */
        readonly values: Readonly<Record<string, unknown>>;
        readonly before: unknown;
        readonly after: unknown;
      }>;
    };
  };
  /** Columns of the layer’s table, for who manages it. */
  readonly 'GET /api/v2/datasets/{id}/columns/': {
    readonly answer: {
      readonly columns: ReadonlyArray<{
        readonly name: string;
        /** What people call it. */
        readonly label: string;
        readonly type: string;
        readonly required: boolean;
        /** The key or the shape, which stay as they are. */
        readonly fixed: boolean;
      }>;
      /** Columns that can be put back. */
      readonly dropped: ReadonlyArray<{
        readonly id: number;
        readonly name: string;
        readonly label: string;
        readonly type: string;
        readonly at: string;
        readonly by: string | null;
      }>;
    };
  };
  /** Add a column. */
  readonly 'POST /api/v2/datasets/{id}/columns/': {
    readonly body: {
      /** What people call it; its name in the table is made of it. */
      readonly name: string;
      readonly type: "text" | "integer" | "bigint" | "double precision" | "numeric" | "boolean" | "date" | "time" | "timestamptz" | "uuid" | "jsonb";
      readonly required?: boolean;
    };
    readonly answer: {
      /** In the table. */
      readonly name: string;
    };
  };
  /** Put a dropped column back. */
  readonly 'POST /api/v2/datasets/{id}/columns/dropped/{dropped}/restore/': { readonly answer: Operations['POST /api/v2/datasets/{id}/columns/']['answer'] };
  /** Rename a column, also in the layer’s styles and history. */
  readonly 'PATCH /api/v2/datasets/{id}/columns/{column}/': {
    readonly body: {
      readonly name: string;
    };
    readonly answer: Operations['POST /api/v2/datasets/{id}/columns/']['answer'];
  };
  /** Drop a column; its values are kept for 30 days. */
  readonly 'DELETE /api/v2/datasets/{id}/columns/{column}/': { readonly answer: Operations['POST /api/v2/datasets/{id}/columns/']['answer'] };
  /** Change the type of a column; its values are kept for 30 days. */
  readonly 'POST /api/v2/datasets/{id}/columns/{column}/type/': {
    readonly body: {
      readonly type: "text" | "integer" | "bigint" | "double precision" | "numeric" | "boolean" | "date" | "time" | "timestamptz" | "uuid" | "jsonb";
      readonly unreadable?: "refuse" | "empty";
    };
    readonly answer: {
      readonly rows: number;
      readonly unreadable: number;
      /** By which it is undone: POST …/kept/{kept}/restore/. */
      readonly kept: number;
    };
  };
  /** How many values of a column cannot be read in another type, and some of them; nothing is changed. */
  readonly 'POST /api/v2/datasets/{id}/columns/{column}/type/preview/': {
    readonly body: {
      readonly type: "text" | "integer" | "bigint" | "double precision" | "numeric" | "boolean" | "date" | "time" | "timestamptz" | "uuid" | "jsonb";
    };
    readonly answer: Operations['POST /api/v2/datasets/{id}/calculate/preview/']['answer'];
  };
  /** What uses the column. */
  readonly 'GET /api/v2/datasets/{id}/columns/{column}/uses/': {
    readonly answer: {
      readonly styles: ReadonlyArray<string>;
      readonly maps: ReadonlyArray<{
        readonly pk: string;
        readonly title: string;
      }>;
      /** Maps that the caller does not see. */
      readonly hidden_maps: number;
      /** The template that features are shown with. */
      readonly template: boolean;
      /** The filter that maps with the layer begin with; without the column it goes. */
      readonly filter: boolean;
      readonly views: ReadonlyArray<string>;
      readonly constraints: ReadonlyArray<string>;
    };
  };
  /** Who changed which row of the layer when, the newest first; for who may read its rows. */
  readonly 'GET /api/v2/datasets/{id}/history/': {
    readonly query: Pick<Parameters, 'before' | 'limit'> & {
      readonly feature?: string;
    };
    readonly answer: {
      readonly edits: ReadonlyArray<{
        readonly id: number;
        readonly at: string;
        readonly by: string | null;
        readonly kind: "insert" | "update" | "delete" | "bulk";
        /** The key of the row; null: of many. */
        readonly feature: string | null;
        readonly old: Readonly<Record<string, unknown>> | null;
        readonly new: Readonly<Record<string, unknown>> | null;
        /** The shape was changed, too. */
        readonly geometry: boolean;
        /** What was done to many rows at once. */
        readonly bulk: string | null;
        readonly rows: number | null;
      }>;
    };
  };
  /** Undo one edit, as a new edit, unless the row was changed since. */
  readonly 'POST /api/v2/datasets/{id}/history/{edit}/undo/': { readonly answer: undefined };
  /** Tables that are joined to the layer, for who manages it. */
  readonly 'GET /api/v2/datasets/{id}/joins/': {
    readonly answer: {
      readonly joins: ReadonlyArray<{
        readonly id: number;
        /** Null: the caller does not see it. */
        readonly table: string | null;
        readonly title: string | null;
        readonly layer_key: string;
        readonly table_key: string;
        readonly columns: ReadonlyArray<{
          /** Column of the table. */
          readonly from: string;
          /** Column of the layer. */
          readonly to: string;
        }>;
        readonly rows: number;
        readonly matched: number;
        /** The table has been changed since. */
        readonly changed: boolean;
        readonly at: string;
        readonly by: string | null;
      }>;
    };
  };
  /** Join a table by a key: its values are copied into new columns of the layer. */
  readonly 'POST /api/v2/datasets/{id}/joins/': {
    readonly body: {
      readonly table: number;
      readonly layer_key: string;
      readonly table_key: string;
      /** Columns of the table. */
      readonly columns: ReadonlyArray<string>;
    };
    readonly answer: {
      /** Null: nothing was joined, it was only looked at. */
      readonly id: number | null;
      /** Of the layer. */
      readonly rows: number;
      /** Rows of the layer that have one in the table. */
      readonly matched: number;
      /** Keys of the layer that several rows of the table have; these cannot be joined. */
      readonly ambiguous: number;
      /** Some keys of the layer that the table does not have. */
      readonly unmatched: ReadonlyArray<string>;
      /** Some keys of the table that the layer does not have. */
      readonly unused: ReadonlyArray<string>;
      readonly columns: ReadonlyArray<{
        /** Column of the table. */
        readonly from: string;
        /** Column of the layer. */
        readonly to: string;
      }>;
    };
  };
  /** How well the keys of a layer and a table fit; nothing is changed. */
  readonly 'POST /api/v2/datasets/{id}/joins/preview/': {
    readonly body: {
      readonly table: number;
      readonly layer_key: string;
      readonly table_key: string;
      /** Columns of the table. */
      readonly columns?: ReadonlyArray<string>;
    };
    readonly answer: Operations['POST /api/v2/datasets/{id}/joins/']['answer'];
  };
  /** Forget that the values came from a table; they stay in the layer. */
  readonly 'DELETE /api/v2/datasets/{id}/joins/{join}/': { readonly answer: undefined };
  /** Copy the values of a joined table again. */
  readonly 'POST /api/v2/datasets/{id}/joins/{join}/refresh/': { readonly answer: Operations['POST /api/v2/datasets/{id}/joins/']['answer'] };
  /** Data of the layer from before files or calculations changed them, kept for 30 days. */
  readonly 'GET /api/v2/datasets/{id}/kept/': {
    readonly answer: {
      readonly kept: ReadonlyArray<{
        readonly id: number;
        /** What a file did to the rows, or what was done to a column. */
        readonly kind: "replace" | "append" | "calculate" | "type";
        /** That was calculated, or whose type was changed. */
        readonly column: string | null;
        /** That come back, or that go. */
        readonly rows: number;
        readonly at: string;
        readonly by: string | null;
      }>;
    };
  };
  /** Undo a replacement, an addition, a calculation or a change of type: what was there comes back. */
  readonly 'POST /api/v2/datasets/{id}/kept/{kept}/restore/': {
    readonly answer: {
      readonly rows: {
        readonly before: number;
        readonly after: number;
        /** Values of the column that came back. */
        readonly restored?: number;
        /** Values that somebody has changed since. */
        readonly stayed?: number;
      };
    };
  };
  /** What is related to it. */
  readonly 'GET /api/v2/datasets/{id}/keywords/': {
    readonly answer: {
      readonly keywords: ReadonlyArray<EmbeddedKeyword>;
    };
  };
  /** What a process made the layer of, and whether that has changed since. */
  readonly 'GET /api/v2/datasets/{id}/lineage/': {
    readonly answer: {
      readonly lineage: {
        readonly process: string;
        readonly sources: ReadonlyArray<{
          readonly id: number;
          readonly title: string;
          /** Its rows have changed since. */
          readonly changed: boolean;
        }>;
        /** Sources that the caller does not see. */
        readonly hidden: number;
        readonly at: string;
        readonly by: string | null;
        /** For who may change the rows; null to others. */
        readonly inputs: Readonly<Record<string, unknown>> | null;
      } | null;
    };
  };
  /** Make the layer again of what it was made of, as a job that replaces its rows. */
  readonly 'POST /api/v2/datasets/{id}/lineage/refresh/': {
    readonly answer: {
      readonly jobID: string;
      readonly upload: number;
    };
  };
  /** Items that it is linked to, and that are linked to it. */
  readonly 'GET /api/v2/datasets/{id}/linked_resources/': { readonly answer: LinkedResources };
  /** Link it to other items. */
  readonly 'POST /api/v2/datasets/{id}/linked_resources/': {
    readonly body: {
      readonly target: number | ReadonlyArray<number>;
    };
    readonly answer: ChangedLinks;
  };
  /** Take links away. */
  readonly 'DELETE /api/v2/datasets/{id}/linked_resources/': {
    readonly body: {
      readonly target: number | ReadonlyArray<number>;
    };
    readonly answer: ChangedLinks;
  };
  /** What is related to it. */
  readonly 'GET /api/v2/datasets/{id}/links/': {
    readonly answer: {
      readonly links: ReadonlyArray<Link>;
    };
  };
  /** Who may do what with it, as levels: view, download, edit, manage. */
  readonly 'GET /api/v2/datasets/{id}/permissions/': { readonly answer: PermissionLevels };
  /** Replace. */
  readonly 'PUT /api/v2/datasets/{id}/permissions/': {
    readonly body: {
      readonly users?: ReadonlyArray<{
        readonly id?: number;
        readonly username?: string;
        readonly permissions: "none" | "view" | "download" | "edit" | "manage" | "owner";
      }>;
      readonly organizations?: ReadonlyArray<{
        readonly id?: number;
        readonly name?: string;
        readonly permissions: "none" | "view" | "download" | "edit" | "manage" | "owner";
      }>;
      readonly groups?: ReadonlyArray<{
        readonly id?: number;
        readonly name?: string;
        readonly permissions: "none" | "view" | "download" | "edit" | "manage" | "owner";
      }>;
    };
    readonly answer: PermissionLevels | undefined;
  };
  /** Change. */
  readonly 'PATCH /api/v2/datasets/{id}/permissions/': {
    readonly body: Operations['PUT /api/v2/datasets/{id}/permissions/']['body'];
    readonly answer: PermissionLevels | undefined;
  };
  /** Delete. */
  readonly 'DELETE /api/v2/datasets/{id}/permissions/': { readonly answer: PermissionLevels | undefined };
  /** How its columns and its pop-up are shown, and its filter. */
  readonly 'GET /api/v2/datasets/{id}/presentation/': {
    readonly answer: {
      readonly columns: ReadonlyArray<{
        /** In the table. */
        readonly column: string;
        /** What people call it; empty: its name. */
        readonly label?: string;
        readonly visible?: boolean;
        /** How values are shown; null: as they are. */
        readonly format?: {
          readonly kind: "number" | "currency" | "percent" | "date" | "link" | "picture" | "email";
          readonly decimals?: number;
          /** Of a number: thousands are told apart. */
          readonly thousands?: boolean;
          /** Of a currency, which has to have it. */
          readonly currency?: string;
          /** Of a percentage: what makes a hundred per cent in the data. */
          readonly of?: 1 | 100;
          /** Of a date. */
          readonly length?: "short" | "medium" | "long";
          /** Of a date: with the time of day. */
          readonly time?: boolean;
          /** Of a link: shown instead of the address. */
          readonly text?: string;
        } | null;
      }>;
      readonly popup: {
        readonly kind?: "list" | "template";
        /** With `{{column}}`; empty: the title of the layer. */
        readonly title?: string;
        /** Of the list, in order; null: all that are visible. */
        readonly columns?: ReadonlyArray<string> | null;
        /** HTML with `{{column}}`; harmless tags alone are shown. */
        readonly template?: string;
        readonly charts?: ReadonlyArray<{
          readonly kind: "bar" | "column" | "pie";
          readonly title?: string;
          readonly columns: ReadonlyArray<string>;
        }>;
      };
      /** CQL2 as JSON, which maps with the layer begin with; null: none. Readers can clear it. */
      readonly filter: Readonly<Record<string, unknown>> | null;
    };
  };
  /** Set how its columns and its pop-up are shown, and its filter; a part that is not sent stays. */
  readonly 'PUT /api/v2/datasets/{id}/presentation/': {
    readonly body: {
      readonly columns?: ReadonlyArray<{
        /** In the table. */
        readonly column: string;
        /** What people call it; empty: its name. */
        readonly label?: string;
        readonly visible?: boolean;
        /** How values are shown; null: as they are. */
        readonly format?: {
          readonly kind: "number" | "currency" | "percent" | "date" | "link" | "picture" | "email";
          readonly decimals?: number;
          /** Of a number: thousands are told apart. */
          readonly thousands?: boolean;
          /** Of a currency, which has to have it. */
          readonly currency?: string;
          /** Of a percentage: what makes a hundred per cent in the data. */
          readonly of?: 1 | 100;
          /** Of a date. */
          readonly length?: "short" | "medium" | "long";
          /** Of a date: with the time of day. */
          readonly time?: boolean;
          /** Of a link: shown instead of the address. */
          readonly text?: string;
        } | null;
      }>;
      readonly popup?: {
        readonly kind?: "list" | "template";
        /** With `{{column}}`; empty: the title of the layer. */
        readonly title?: string;
        /** Of the list, in order; null: all that are visible. */
        readonly columns?: ReadonlyArray<string> | null;
        /** HTML with `{{column}}`; harmless tags alone are shown. */
        readonly template?: string;
        readonly charts?: ReadonlyArray<{
          readonly kind: "bar" | "column" | "pie";
          readonly title?: string;
          readonly columns: ReadonlyArray<string>;
        }>;
      };
      /** CQL2 as JSON, which maps with the layer begin with; null: none. Readers can clear it. */
      readonly filter?: Readonly<Record<string, unknown>> | null;
    };
    readonly answer: Operations['GET /api/v2/datasets/{id}/presentation/']['answer'];
  };
  /** Where the data came from, when they were renewed last and by what, whether that is as often as declared, and what was made of them. */
  readonly 'GET /api/v2/datasets/{id}/provenance/': {
    readonly answer: {
      readonly provenance: {
        /** A file, a form of this portal, a process, a table of the database, another service. */
        readonly source: "upload" | "form" | "process" | "table" | "service";
        readonly created: string;
        /** When the data were renewed last; null: nobody has noted it. */
        readonly updated: string | null;
        /** By what; null: not since the layer was made. */
        readonly how: "upload" | "edit" | "process" | "service" | null;
        /** The account, for who may take the data away. */
        readonly by: string | null;
        /** The file, process or service, for who may take the data away. */
        readonly of: string | null;
        /** How often it is renewed, as declared. */
        readonly frequency: string | null;
        /** When it is to be renewed next. */
        readonly due: string | null;
        readonly freshness: "fresh" | "due" | "overdue" | null;
        readonly made: ReadonlyArray<{
          readonly id: number;
          readonly title: string;
        }>;
      };
    };
  };
  /** Compute its extent from its rows. */
  readonly 'PUT /api/v2/datasets/{id}/recalc-bbox/': {
    readonly answer: {
      readonly success: boolean;
    };
  };
  /** What is related to it. */
  readonly 'GET /api/v2/datasets/{id}/regions/': {
    readonly answer: {
      readonly regions: ReadonlyArray<EmbeddedRegion>;
    };
  };
  /** Send the files of a layer. */
  readonly 'POST /api/v2/datasets/{id}/replace/': { readonly body: FormData; readonly answer: AcceptedUpload };
  /** Send the files of a layer. */
  readonly 'PUT /api/v2/datasets/{id}/replace/': { readonly body: FormData; readonly answer: AcceptedUpload };
  /** Choose its small picture. */
  readonly 'PUT /api/v2/datasets/{id}/set_thumbnail/': {
    readonly body: {
      /** A data URL with a PNG, JPEG, GIF or WebP image. */
      readonly file: string;
    } | FormData;
    readonly answer: {
      readonly success: boolean;
      readonly thumbnail_url: string;
    };
  };
  /** Which address the layer follows, for who manages it. */
  readonly 'GET /api/v2/datasets/{id}/source/': {
    readonly answer: {
      readonly source: {
        readonly kind: "file" | "features" | "wfs";
        readonly address: string;
        readonly type_name: string | null;
        readonly key: string | null;
        readonly every_minutes: number;
        readonly paused: boolean;
        /** Null: it is paused. */
        readonly next_at: string | null;
        readonly asked_at: string | null;
        /** When rows were last brought up to date. */
        readonly changed_at: string | null;
        /** What was wrong when it was last asked. */
        readonly error: string | null;
        /** In a row. */
        readonly failures: number;
        /** The account in whose name the rows are replaced. */
        readonly as: string;
      } | null;
    };
  };
  /** Have a layer follow an address: its rows become those of the address, on a timetable; or pause it. */
  readonly 'PUT /api/v2/datasets/{id}/source/': {
    readonly body: {
      /** A file (CSV, GeoJSON and others), a collection of OGC API Features, or a WFS. */
      readonly kind?: "file" | "features" | "wfs";
      readonly address: string;
      /** The feature type of a WFS. */
      readonly type_name?: string | null;
      /** The column by which rows are found again, so that the history has the differences; without it all rows are replaced. */
      readonly key?: string | null;
      readonly every_minutes?: number;
      readonly paused?: boolean;
    };
    readonly answer: {
      readonly source: {
        readonly kind: "file" | "features" | "wfs";
        readonly address: string;
        readonly type_name: string | null;
        readonly key: string | null;
        readonly every_minutes: number;
        readonly paused: boolean;
        /** Null: it is paused. */
        readonly next_at: string | null;
        readonly asked_at: string | null;
        /** When rows were last brought up to date. */
        readonly changed_at: string | null;
        /** What was wrong when it was last asked. */
        readonly error: string | null;
        /** In a row. */
        readonly failures: number;
        /** The account in whose name the rows are replaced. */
        readonly as: string;
      };
    };
  };
  /** Follow the address no longer; the rows stay. */
  readonly 'DELETE /api/v2/datasets/{id}/source/': { readonly answer: undefined };
  /** Ask the address now. */
  readonly 'POST /api/v2/datasets/{id}/source/refresh/': {
    readonly answer: {
      /** The import; null: nothing has changed. */
      readonly upload: number | null;
    };
  };
  /** What is related to it. */
  readonly 'GET /api/v2/datasets/{id}/styles/': {
    readonly answer: {
      readonly styles: ReadonlyArray<Style>;
    };
  };
  /** Its time dimension. */
  readonly 'GET /api/v2/datasets/{id}/timeseries/': {
    readonly answer: {
      readonly has_time: boolean;
      readonly attribute: number | null;
      readonly end_attribute: number | null;
      readonly presentation: "LIST";
      readonly precision_value: number | null;
      readonly precision_step: string | null;
    };
  };
  /** Switch its time dimension on or off. */
  readonly 'PUT /api/v2/datasets/{id}/timeseries/': {
    readonly body: {
      readonly has_time: boolean;
      readonly attribute?: number | null;
    };
    readonly answer: {
      readonly message: string;
    };
  };
  /** What is related to it. */
  readonly 'GET /api/v2/datasets/{id}/tkeywords/': {
    readonly answer: {
      readonly tkeywords: ReadonlyArray<EmbeddedTkeyword>;
    };
  };
  /** List. */
  readonly 'GET /api/v2/documents/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'extent' | 'include[]' | 'exclude[]' | 'sideloading'>;
    readonly answer: DocumentList;
  };
  /** Create one or several. */
  readonly 'POST /api/v2/documents/': {
    readonly body: DocumentInput | {
      readonly document: DocumentInput;
    } | {
      readonly documents: ReadonlyArray<DocumentInput>;
    } | ReadonlyArray<DocumentInput> | FormData;
    readonly answer: {
      readonly document: Document;
      readonly meta?: Ignored;
    } | {
      readonly documents: ReadonlyArray<Document>;
      readonly meta?: Ignored;
    };
  };
  /** Change several. */
  readonly 'PATCH /api/v2/documents/': {
    readonly query: Pick<Parameters, 'patch-all' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'extent'>;
    readonly body: ReadonlyArray<DocumentChangeById> | {
      readonly documents: ReadonlyArray<DocumentChangeById>;
    } | DocumentChange | {
      readonly document: DocumentChange;
    };
    readonly answer: {
      readonly documents?: ReadonlyArray<Document>;
      readonly meta: NonNullable<Updated['meta']>;
    };
  };
  /** Delete several. */
  readonly 'DELETE /api/v2/documents/': {
    readonly body: ReadonlyArray<{
      readonly id: number;
    }> | {
      readonly documents: ReadonlyArray<{
        readonly id: number;
      }>;
    };
    readonly answer: undefined;
  };
  /** One record. */
  readonly 'GET /api/v2/documents/{id}/': {
    readonly query: Pick<Parameters, 'include[]' | 'exclude[]' | 'sideloading'>;
    readonly answer: {
      readonly document: Document;
    };
  };
  /** Replace. */
  readonly 'PUT /api/v2/documents/{id}/': {
    readonly body: DocumentInput;
    readonly answer: {
      readonly document?: Document;
      readonly meta: NonNullable<Updated['meta']>;
    };
  };
  /** Change. */
  readonly 'PATCH /api/v2/documents/{id}/': {
    readonly body: DocumentChange;
    readonly answer: Operations['PUT /api/v2/documents/{id}/']['answer'];
  };
  /** Delete. */
  readonly 'DELETE /api/v2/documents/{id}/': { readonly answer: undefined };
  /** One record. */
  readonly 'GET /api/v2/documents/{id}/download/': { readonly answer: unknown };
  /** What is related to it. */
  readonly 'GET /api/v2/documents/{id}/keywords/': {
    readonly answer: {
      readonly keywords: ReadonlyArray<EmbeddedKeyword>;
    };
  };
  /** What is related to it. */
  readonly 'GET /api/v2/documents/{id}/linked_resources/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'extent' | 'include[]' | 'exclude[]' | 'sideloading'>;
    readonly answer: ResourceList;
  };
  /** Link it to other items. */
  readonly 'POST /api/v2/documents/{id}/linked_resources/': {
    readonly body: {
      readonly target: number | ReadonlyArray<number>;
    };
    readonly answer: ChangedLinks;
  };
  /** Take links away. */
  readonly 'DELETE /api/v2/documents/{id}/linked_resources/': {
    readonly body: {
      readonly target: number | ReadonlyArray<number>;
    };
    readonly answer: ChangedLinks;
  };
  /** What is related to it. */
  readonly 'GET /api/v2/documents/{id}/links/': {
    readonly answer: {
      readonly links: ReadonlyArray<Link>;
    };
  };
  /** Who may do what with it, as levels: view, download, edit, manage. */
  readonly 'GET /api/v2/documents/{id}/permissions/': { readonly answer: PermissionLevels };
  /** Replace. */
  readonly 'PUT /api/v2/documents/{id}/permissions/': {
    readonly body: Operations['PUT /api/v2/datasets/{id}/permissions/']['body'];
    readonly answer: PermissionLevels | undefined;
  };
  /** Change. */
  readonly 'PATCH /api/v2/documents/{id}/permissions/': {
    readonly body: Operations['PUT /api/v2/datasets/{id}/permissions/']['body'];
    readonly answer: PermissionLevels | undefined;
  };
  /** Delete. */
  readonly 'DELETE /api/v2/documents/{id}/permissions/': { readonly answer: PermissionLevels | undefined };
  /** What is related to it. */
  readonly 'GET /api/v2/documents/{id}/regions/': {
    readonly answer: {
      readonly regions: ReadonlyArray<EmbeddedRegion>;
    };
  };
  /** Choose its small picture. */
  readonly 'PUT /api/v2/documents/{id}/set_thumbnail/': {
    readonly body: Operations['PUT /api/v2/datasets/{id}/set_thumbnail/']['body'];
    readonly answer: Operations['PUT /api/v2/datasets/{id}/set_thumbnail/']['answer'];
  };
  /** What is related to it. */
  readonly 'GET /api/v2/documents/{id}/tkeywords/': {
    readonly answer: {
      readonly tkeywords: ReadonlyArray<EmbeddedTkeyword>;
    };
  };
  /** Uploads with how far they are: the caller’s own, all of them to administrators. */
  readonly 'GET /api/v2/executionrequest/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}`>;
    readonly answer: {
      readonly links: {
        readonly next: string | null;
        readonly previous: string | null;
      };
      readonly total: number;
      readonly page: number;
      readonly page_size: number;
      readonly requests: ReadonlyArray<{
        readonly exec_id: string;
        readonly name: string;
        readonly user: string | null;
        /** An open question counts as running; `log` says what is asked, and where to answer. */
        readonly status: "ready" | "running" | "failed" | "finished";
        readonly source: "upload";
        readonly action: "upload" | "replace" | "append" | "process";
        readonly func_name: string;
        readonly step: string | null;
        readonly progress: number;
        readonly created: string;
        readonly finished: string | null;
        readonly log: string | null;
        readonly input_params: Readonly<Record<string, unknown>>;
        readonly output_params: {
          readonly resources: ReadonlyArray<{
            readonly id: number;
            readonly detail_url: string;
          }>;
          readonly errors?: ReadonlyArray<string>;
        };
        readonly geonode_resource: number | null;
        readonly link: string;
      }>;
    };
  };
  /** How far an upload is, by the `execution_id` that sending it has answered. */
  readonly 'GET /api/v2/executionrequest/{exec_id}/': {
    readonly answer: {
      readonly request: {
        readonly exec_id: string;
        readonly name: string;
        readonly user: string | null;
        /** An open question counts as running; `log` says what is asked, and where to answer. */
        readonly status: "ready" | "running" | "failed" | "finished";
        readonly source: "upload";
        readonly action: "upload" | "replace" | "append" | "process";
        readonly func_name: string;
        readonly step: string | null;
        readonly progress: number;
        readonly created: string;
        readonly finished: string | null;
        readonly log: string | null;
        readonly input_params: Readonly<Record<string, unknown>>;
        readonly output_params: {
          readonly resources: ReadonlyArray<{
            readonly id: number;
            readonly detail_url: string;
          }>;
          readonly errors?: ReadonlyArray<string>;
        };
        readonly geonode_resource: number | null;
        readonly link: string;
      };
    };
  };
  /** Delete the record of an upload; the layer that it became stays. */
  readonly 'DELETE /api/v2/executionrequest/{exec_id}/': { readonly answer: undefined };
  /** What a search can be narrowed by: the number of items behind each value, as the caller sees them. Takes the query of the list; `page_size` is the number of values of each facet. The filters by a field do not count for its own facet.. */
  readonly 'GET /api/v2/facets/': {
    readonly query: {
      /** With the topics of each. */
      readonly include_topics?: boolean;
      /** Page of the topics, from 0. */
      readonly page?: number;
      /** Topics of a page; no more than 1000. */
      readonly page_size?: number;
      /** A part of the label. */
      readonly topic_contains?: string;
      /** Language of the labels. */
      readonly lang?: string;
    };
    readonly answer: {
      readonly facets: ReadonlyArray<{
        readonly name: string;
        readonly key: string;
        /** The parameter that narrows lists to a topic, by its key. */
        readonly filter: string;
        readonly label: string;
        readonly is_localized: boolean;
        readonly type: string;
        readonly hierarchical: boolean;
        readonly order: number;
        readonly link: string;
        readonly config?: Readonly<Record<string, unknown>>;
        readonly topics?: {
          readonly page: number;
          readonly page_size: number;
          readonly start: number;
          readonly total: number;
          readonly items: ReadonlyArray<{
            readonly key: string;
            readonly label: string;
            readonly count: number;
            readonly is_localized: boolean;
          }>;
        };
      }>;
    };
  };
  /** What a search can be narrowed by: the number of items behind each value, as the caller sees them. Takes the query of the list; `page_size` is the number of values of each facet. The filters by a field do not count for its own facet.. */
  readonly 'GET /api/v2/facets/{name}/': {
    readonly query: {
      /** Only this topic, even without items; can be repeated. */
      readonly key?: string;
      /** Page of the topics, from 0. */
      readonly page?: number;
      /** Topics of a page; no more than 1000. */
      readonly page_size?: number;
      /** A part of the label. */
      readonly topic_contains?: string;
      /** Language of the labels. */
      readonly lang?: string;
    };
    readonly answer: {
      readonly name: string;
      readonly key: string;
      /** The parameter that narrows lists to a topic, by its key. */
      readonly filter: string;
      readonly label: string;
      readonly is_localized: boolean;
      readonly type: string;
      readonly hierarchical: boolean;
      readonly order: number;
      readonly link: string;
      readonly config?: Readonly<Record<string, unknown>>;
      readonly topics?: {
        readonly page: number;
        readonly page_size: number;
        readonly start: number;
        readonly total: number;
        readonly items: ReadonlyArray<{
          readonly key: string;
          readonly label: string;
          readonly count: number;
          readonly is_localized: boolean;
        }>;
      };
    };
  };
  /** People and groups that the own account follows. */
  readonly 'GET /api/v2/following/': {
    readonly answer: {
      readonly users: ReadonlyArray<{
        readonly pk: number;
        readonly username: string;
        readonly first_name: string;
        readonly last_name: string;
      }>;
      readonly groups: ReadonlyArray<{
        readonly pk: number;
        readonly name: string;
        readonly title: string;
      }>;
    };
  };
  /** List. */
  readonly 'GET /api/v2/geoapps/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'extent' | 'include[]' | 'exclude[]' | 'sideloading'>;
    readonly answer: GeoappList;
  };
  /** Create one or several. */
  readonly 'POST /api/v2/geoapps/': {
    readonly body: GeoappInput | {
      readonly geoapp: GeoappInput;
    } | {
      readonly geoapps: ReadonlyArray<GeoappInput>;
    } | ReadonlyArray<GeoappInput>;
    readonly answer: {
      readonly geoapp: Geoapp;
      readonly meta?: Ignored;
    } | {
      readonly geoapps: ReadonlyArray<Geoapp>;
      readonly meta?: Ignored;
    };
  };
  /** Change several. */
  readonly 'PATCH /api/v2/geoapps/': {
    readonly query: Pick<Parameters, 'patch-all' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'extent'>;
    readonly body: ReadonlyArray<GeoappChangeById> | {
      readonly geoapps: ReadonlyArray<GeoappChangeById>;
    } | GeoappChange | {
      readonly geoapp: GeoappChange;
    };
    readonly answer: {
      readonly geoapps?: ReadonlyArray<Geoapp>;
      readonly meta: NonNullable<Updated['meta']>;
    };
  };
  /** Delete several. */
  readonly 'DELETE /api/v2/geoapps/': {
    readonly body: ReadonlyArray<{
      readonly id: number;
    }> | {
      readonly geoapps: ReadonlyArray<{
        readonly id: number;
      }>;
    };
    readonly answer: undefined;
  };
  /** One record. */
  readonly 'GET /api/v2/geoapps/{id}/': {
    readonly query: Pick<Parameters, 'include[]' | 'exclude[]' | 'sideloading'>;
    readonly answer: {
      readonly geoapp: Geoapp;
    };
  };
  /** Replace. */
  readonly 'PUT /api/v2/geoapps/{id}/': {
    readonly body: GeoappInput;
    readonly answer: {
      readonly geoapp?: Geoapp;
      readonly meta: NonNullable<Updated['meta']>;
    };
  };
  /** Change. */
  readonly 'PATCH /api/v2/geoapps/{id}/': { readonly body: GeoappChange; readonly answer: Operations['PUT /api/v2/geoapps/{id}/']['answer'] };
  /** Delete. */
  readonly 'DELETE /api/v2/geoapps/{id}/': { readonly answer: undefined };
  /** What is related to it. */
  readonly 'GET /api/v2/geoapps/{id}/data/': {
    readonly answer: {
      readonly GeoAppData: Readonly<Record<string, unknown>> | null;
    };
  };
  /** What is related to it. */
  readonly 'GET /api/v2/geoapps/{id}/keywords/': {
    readonly answer: {
      readonly keywords: ReadonlyArray<EmbeddedKeyword>;
    };
  };
  /** Items that it is linked to, and that are linked to it. */
  readonly 'GET /api/v2/geoapps/{id}/linked_resources/': { readonly answer: LinkedResources };
  /** Link it to other items. */
  readonly 'POST /api/v2/geoapps/{id}/linked_resources/': {
    readonly body: {
      readonly target: number | ReadonlyArray<number>;
    };
    readonly answer: ChangedLinks;
  };
  /** Take links away. */
  readonly 'DELETE /api/v2/geoapps/{id}/linked_resources/': {
    readonly body: {
      readonly target: number | ReadonlyArray<number>;
    };
    readonly answer: ChangedLinks;
  };
  /** What is related to it. */
  readonly 'GET /api/v2/geoapps/{id}/links/': {
    readonly answer: {
      readonly links: ReadonlyArray<Link>;
    };
  };
  /** Who may do what with it, as levels: view, download, edit, manage. */
  readonly 'GET /api/v2/geoapps/{id}/permissions/': { readonly answer: PermissionLevels };
  /** Replace. */
  readonly 'PUT /api/v2/geoapps/{id}/permissions/': {
    readonly body: Operations['PUT /api/v2/datasets/{id}/permissions/']['body'];
    readonly answer: PermissionLevels | undefined;
  };
  /** Change. */
  readonly 'PATCH /api/v2/geoapps/{id}/permissions/': {
    readonly body: Operations['PUT /api/v2/datasets/{id}/permissions/']['body'];
    readonly answer: PermissionLevels | undefined;
  };
  /** Delete. */
  readonly 'DELETE /api/v2/geoapps/{id}/permissions/': { readonly answer: PermissionLevels | undefined };
  /** What is related to it. */
  readonly 'GET /api/v2/geoapps/{id}/regions/': {
    readonly answer: {
      readonly regions: ReadonlyArray<EmbeddedRegion>;
    };
  };
  /** Choose its small picture. */
  readonly 'PUT /api/v2/geoapps/{id}/set_thumbnail/': {
    readonly body: Operations['PUT /api/v2/datasets/{id}/set_thumbnail/']['body'];
    readonly answer: Operations['PUT /api/v2/datasets/{id}/set_thumbnail/']['answer'];
  };
  /** What is related to it. */
  readonly 'GET /api/v2/geoapps/{id}/tkeywords/': {
    readonly answer: {
      readonly tkeywords: ReadonlyArray<EmbeddedTkeyword>;
    };
  };
  /** List. */
  readonly 'GET /api/v2/geostories/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'include[]' | 'exclude[]' | 'sideloading'>;
    readonly answer: GeostoryList;
  };
  /** Create one or several. */
  readonly 'POST /api/v2/geostories/': {
    readonly body: GeostoryInput | {
      readonly geostory: GeostoryInput;
    } | {
      readonly geostories: ReadonlyArray<GeostoryInput>;
    } | ReadonlyArray<GeostoryInput>;
    readonly answer: {
      readonly geostory: Geostory;
      readonly meta?: Ignored;
    } | {
      readonly geostories: ReadonlyArray<Geostory>;
      readonly meta?: Ignored;
    };
  };
  /** Change several. */
  readonly 'PATCH /api/v2/geostories/': {
    readonly query: Pick<Parameters, 'patch-all' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}`>;
    readonly body: ReadonlyArray<GeostoryChangeById> | {
      readonly geostories: ReadonlyArray<GeostoryChangeById>;
    } | GeostoryChange | {
      readonly geostory: GeostoryChange;
    };
    readonly answer: {
      readonly geostories?: ReadonlyArray<Geostory>;
      readonly meta: NonNullable<Updated['meta']>;
    };
  };
  /** Delete several. */
  readonly 'DELETE /api/v2/geostories/': {
    readonly body: ReadonlyArray<{
      readonly id: number;
    }> | {
      readonly geostories: ReadonlyArray<{
        readonly id: number;
      }>;
    };
    readonly answer: undefined;
  };
  /** One record. */
  readonly 'GET /api/v2/geostories/{id}/': {
    readonly query: Pick<Parameters, 'include[]' | 'exclude[]' | 'sideloading'>;
    readonly answer: {
      readonly geostory: Geostory;
    };
  };
  /** Replace. */
  readonly 'PUT /api/v2/geostories/{id}/': {
    readonly body: GeostoryInput;
    readonly answer: {
      readonly geostory?: Geostory;
      readonly meta: NonNullable<Updated['meta']>;
    };
  };
  /** Change. */
  readonly 'PATCH /api/v2/geostories/{id}/': {
    readonly body: GeostoryChange;
    readonly answer: Operations['PUT /api/v2/geostories/{id}/']['answer'];
  };
  /** Delete. */
  readonly 'DELETE /api/v2/geostories/{id}/': { readonly answer: undefined };
  /** What is related to it. */
  readonly 'GET /api/v2/geostories/{id}/data/': {
    readonly answer: {
      readonly GeoAppData: Readonly<Record<string, unknown>> | null;
    };
  };
  /** What is related to it. */
  readonly 'GET /api/v2/geostories/{id}/keywords/': {
    readonly answer: {
      readonly keywords: ReadonlyArray<EmbeddedKeyword>;
    };
  };
  /** Items that it is linked to, and that are linked to it. */
  readonly 'GET /api/v2/geostories/{id}/linked_resources/': { readonly answer: LinkedResources };
  /** Link it to other items. */
  readonly 'POST /api/v2/geostories/{id}/linked_resources/': {
    readonly body: {
      readonly target: number | ReadonlyArray<number>;
    };
    readonly answer: ChangedLinks;
  };
  /** Take links away. */
  readonly 'DELETE /api/v2/geostories/{id}/linked_resources/': {
    readonly body: {
      readonly target: number | ReadonlyArray<number>;
    };
    readonly answer: ChangedLinks;
  };
  /** What is related to it. */
  readonly 'GET /api/v2/geostories/{id}/links/': {
    readonly answer: {
      readonly links: ReadonlyArray<Link>;
    };
  };
  /** Who may do what with it, as levels: view, download, edit, manage. */
  readonly 'GET /api/v2/geostories/{id}/permissions/': { readonly answer: PermissionLevels };
  /** Replace. */
  readonly 'PUT /api/v2/geostories/{id}/permissions/': {
    readonly body: Operations['PUT /api/v2/datasets/{id}/permissions/']['body'];
    readonly answer: PermissionLevels | undefined;
  };
  /** Change. */
  readonly 'PATCH /api/v2/geostories/{id}/permissions/': {
    readonly body: Operations['PUT /api/v2/datasets/{id}/permissions/']['body'];
    readonly answer: PermissionLevels | undefined;
  };
  /** Delete. */
  readonly 'DELETE /api/v2/geostories/{id}/permissions/': { readonly answer: PermissionLevels | undefined };
  /** What is related to it. */
  readonly 'GET /api/v2/geostories/{id}/regions/': {
    readonly answer: {
      readonly regions: ReadonlyArray<EmbeddedRegion>;
    };
  };
  /** Choose its small picture. */
  readonly 'PUT /api/v2/geostories/{id}/set_thumbnail/': {
    readonly body: Operations['PUT /api/v2/datasets/{id}/set_thumbnail/']['body'];
    readonly answer: Operations['PUT /api/v2/datasets/{id}/set_thumbnail/']['answer'];
  };
  /** What is related to it. */
  readonly 'GET /api/v2/geostories/{id}/tkeywords/': {
    readonly answer: {
      readonly tkeywords: ReadonlyArray<EmbeddedTkeyword>;
    };
  };
  /** List. */
  readonly 'GET /api/v2/groups/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'include[]' | 'exclude[]' | 'sideloading'>;
    readonly answer: GroupProfileList;
  };
  /** Create one or several. */
  readonly 'POST /api/v2/groups/': {
    readonly body: GroupProfileInput | {
      readonly group_profile: GroupProfileInput;
    } | {
      readonly group_profiles: ReadonlyArray<GroupProfileInput>;
    } | ReadonlyArray<GroupProfileInput>;
    readonly answer: {
      readonly group_profile: GroupProfile;
      readonly meta?: Ignored;
    } | {
      readonly group_profiles: ReadonlyArray<GroupProfile>;
      readonly meta?: Ignored;
    };
  };
  /** Change several. */
  readonly 'PATCH /api/v2/groups/': {
    readonly query: Pick<Parameters, 'patch-all' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}`>;
    readonly body: ReadonlyArray<GroupProfileChangeById> | {
      readonly group_profiles: ReadonlyArray<GroupProfileChangeById>;
    } | GroupProfileChange | {
      readonly group_profile: GroupProfileChange;
    };
    readonly answer: {
      readonly group_profiles?: ReadonlyArray<GroupProfile>;
      readonly meta: NonNullable<Updated['meta']>;
    };
  };
  /** Delete several. */
  readonly 'DELETE /api/v2/groups/': {
    readonly body: ReadonlyArray<{
      readonly id: number;
    }> | {
      readonly group_profiles: ReadonlyArray<{
        readonly id: number;
      }>;
    };
    readonly answer: undefined;
  };
  /** One record. */
  readonly 'GET /api/v2/groups/{id}/': {
    readonly query: Pick<Parameters, 'include[]' | 'exclude[]' | 'sideloading'>;
    readonly answer: {
      readonly group_profile: GroupProfile;
    };
  };
  /** Replace. */
  readonly 'PUT /api/v2/groups/{id}/': {
    readonly body: GroupProfileInput;
    readonly answer: {
      readonly group_profile?: GroupProfile;
      readonly meta: NonNullable<Updated['meta']>;
    };
  };
  /** Change. */
  readonly 'PATCH /api/v2/groups/{id}/': {
    readonly body: GroupProfileChange;
    readonly answer: Operations['PUT /api/v2/groups/{id}/']['answer'];
  };
  /** Delete. */
  readonly 'DELETE /api/v2/groups/{id}/': { readonly answer: undefined };
  /** Whether the own account follows a person or a group. */
  readonly 'GET /api/v2/groups/{id}/follow/': { readonly answer: Following };
  /** Be told of new items of a person or a group. */
  readonly 'POST /api/v2/groups/{id}/follow/': { readonly answer: Following };
  /** Stop following a person or a group. */
  readonly 'DELETE /api/v2/groups/{id}/follow/': { readonly answer: Following };
  /** What is related to it. */
  readonly 'GET /api/v2/groups/{id}/managers/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'exclude[]'>;
    readonly answer: ReadonlyArray<EmbeddedUser>;
  };
  /** What is related to it. */
  readonly 'GET /api/v2/groups/{id}/members/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'exclude[]'>;
    readonly answer: ReadonlyArray<EmbeddedUser>;
  };
  /** Add a member, or change what a member is. */
  readonly 'POST /api/v2/groups/{id}/members/': {
    readonly body: {
      readonly username: string;
      readonly role?: "member" | "manager";
    };
    readonly answer: {
      readonly pk: number;
      readonly username: string;
      readonly role: "member" | "manager";
    } | {
      readonly username: string;
      readonly role: "member" | "manager";
      readonly state: "invited";
    };
  };
  /** Remove a member. */
  readonly 'DELETE /api/v2/groups/{id}/members/{account}/': { readonly answer: undefined };
  /** What is related to it. */
  readonly 'GET /api/v2/groups/{id}/resources/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'extent' | 'include[]' | 'exclude[]'>;
    readonly answer: ReadonlyArray<Resource>;
  };
  /** One’s own invitations to groups. */
  readonly 'GET /api/v2/invitations/': {
    readonly answer: {
      readonly invitations: ReadonlyArray<{
        readonly group: {
          readonly pk: number;
          readonly slug: string;
          readonly title: string;
          readonly description: string;
        };
        readonly role: "member" | "manager";
        readonly invited_by: string | null;
        readonly date: string;
      }>;
    };
  };
  /** Open invitations of a group, for its managers. */
  readonly 'GET /api/v2/invitations/{group}/': {
    readonly answer: {
      readonly invitations: ReadonlyArray<{
        readonly username: string;
        readonly role: "member" | "manager";
        readonly date: string;
      }>;
    };
  };
  /** Accept or decline an invitation. */
  readonly 'PUT /api/v2/invitations/{group}/': {
    readonly body: {
      readonly accept: boolean;
    };
    readonly answer: Updated;
  };
  /** Withdraw an invitation. */
  readonly 'DELETE /api/v2/invitations/{group}/{username}/': { readonly answer: undefined };
  /** List. */
  readonly 'GET /api/v2/keywords/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'exclude[]' | 'sideloading'>;
    readonly answer: KeywordList;
  };
  /** One record. */
  readonly 'GET /api/v2/keywords/{id}/': {
    readonly query: Pick<Parameters, 'exclude[]' | 'sideloading'>;
    readonly answer: {
      readonly keyword: Keyword;
    };
  };
  /** List. */
  readonly 'GET /api/v2/layers/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'extent' | 'include[]' | 'exclude[]' | 'sideloading'>;
    readonly answer: LayerList;
  };
  /** Create one or several. */
  readonly 'POST /api/v2/layers/': {
    readonly body: LayerInput | {
      readonly layer: LayerInput;
    } | {
      readonly layers: ReadonlyArray<LayerInput>;
    } | ReadonlyArray<LayerInput>;
    readonly answer: {
      readonly layer: Layer;
      readonly meta?: Ignored;
    } | {
      readonly layers: ReadonlyArray<Layer>;
      readonly meta?: Ignored;
    };
  };
  /** Change several. */
  readonly 'PATCH /api/v2/layers/': {
    readonly query: Pick<Parameters, 'patch-all' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'extent'>;
    readonly body: ReadonlyArray<LayerChangeById> | {
      readonly layers: ReadonlyArray<LayerChangeById>;
    } | LayerChange | {
      readonly layer: LayerChange;
    };
    readonly answer: {
      readonly layers?: ReadonlyArray<Layer>;
      readonly meta: NonNullable<Updated['meta']>;
    };
  };
  /** Delete several. */
  readonly 'DELETE /api/v2/layers/': {
    readonly body: ReadonlyArray<{
      readonly id: number;
    }> | {
      readonly layers: ReadonlyArray<{
        readonly id: number;
      }>;
    };
    readonly answer: undefined;
  };
  /** Versions of the rows of layers, to learn whether any of them changed. */
  readonly 'GET /api/v2/layers/data_versions/': {
    readonly query: {
      readonly pk?: ReadonlyArray<number>;
    };
    readonly answer: {
      readonly versions: ReadonlyArray<{
        readonly pk: string;
        /** Another one after every change of rows; null: changes are not noted, so look again from time to time. */
        readonly version: string | null;
      }>;
    };
  };
  /** Make a new layer without features, or a table, from a form: columns, geometry, coordinate system. */
  readonly 'POST /api/v2/layers/empty/': {
    readonly body: Operations['POST /api/v2/datasets/empty/']['body'];
    readonly answer: {
      readonly layer: Layer;
    };
  };
  /** Make a layer of what an address holds, and renew it on a timetable. */
  readonly 'POST /api/v2/layers/follow/': {
    readonly body: Operations['POST /api/v2/datasets/follow/']['body'];
    readonly answer: Operations['POST /api/v2/datasets/follow/']['answer'];
  };
  /** One record. */
  readonly 'GET /api/v2/layers/{id}/': {
    readonly query: Pick<Parameters, 'include[]' | 'exclude[]' | 'sideloading'>;
    readonly answer: {
      readonly layer: Layer;
    };
  };
  /** Replace. */
  readonly 'PUT /api/v2/layers/{id}/': {
    readonly body: LayerInput;
    readonly answer: {
      readonly layer?: Layer;
      readonly meta: NonNullable<Updated['meta']>;
    };
  };
  /** Change. */
  readonly 'PATCH /api/v2/layers/{id}/': { readonly body: LayerChange; readonly answer: Operations['PUT /api/v2/layers/{id}/']['answer'] };
  /** Delete. */
  readonly 'DELETE /api/v2/layers/{id}/': { readonly answer: undefined };
  /** Send the files of a layer. */
  readonly 'POST /api/v2/layers/{id}/append/': { readonly body: FormData; readonly answer: AcceptedUpload };
  /** Send the files of a layer. */
  readonly 'PUT /api/v2/layers/{id}/append/': { readonly body: FormData; readonly answer: AcceptedUpload };
  /** What is related to it. */
  readonly 'GET /api/v2/layers/{id}/attribute_set/': {
    readonly answer: {
      readonly attributes: ReadonlyArray<Attribute>;
    };
  };
  /** Fill a column, or a new one, with an expression; what was there is kept for 30 days. */
  readonly 'POST /api/v2/layers/{id}/calculate/': {
    readonly body: Operations['POST /api/v2/datasets/{id}/calculate/']['body'];
    readonly answer: Operations['POST /api/v2/datasets/{id}/calculate/']['answer'];
  };
  /** What a calculation would do: counts, and ten rows before and after; nothing is changed. */
  readonly 'POST /api/v2/layers/{id}/calculate/preview/': {
    readonly body: Operations['POST /api/v2/datasets/{id}/calculate/']['body'];
    readonly answer: Operations['POST /api/v2/datasets/{id}/calculate/preview/']['answer'];
  };
  /** Columns of the layer’s table, for who manages it. */
  readonly 'GET /api/v2/layers/{id}/columns/': { readonly answer: Operations['GET /api/v2/datasets/{id}/columns/']['answer'] };
  /** Add a column. */
  readonly 'POST /api/v2/layers/{id}/columns/': {
    readonly body: Operations['POST /api/v2/datasets/{id}/columns/']['body'];
    readonly answer: Operations['POST /api/v2/datasets/{id}/columns/']['answer'];
  };
  /** Put a dropped column back. */
  readonly 'POST /api/v2/layers/{id}/columns/dropped/{dropped}/restore/': { readonly answer: Operations['POST /api/v2/datasets/{id}/columns/']['answer'] };
  /** Rename a column, also in the layer’s styles and history. */
  readonly 'PATCH /api/v2/layers/{id}/columns/{column}/': {
    readonly body: {
      readonly name: string;
    };
    readonly answer: Operations['POST /api/v2/datasets/{id}/columns/']['answer'];
  };
  /** Drop a column; its values are kept for 30 days. */
  readonly 'DELETE /api/v2/layers/{id}/columns/{column}/': { readonly answer: Operations['POST /api/v2/datasets/{id}/columns/']['answer'] };
  /** Change the type of a column; its values are kept for 30 days. */
  readonly 'POST /api/v2/layers/{id}/columns/{column}/type/': {
    readonly body: Operations['POST /api/v2/datasets/{id}/columns/{column}/type/']['body'];
    readonly answer: Operations['POST /api/v2/datasets/{id}/columns/{column}/type/']['answer'];
  };
  /** How many values of a column cannot be read in another type, and some of them; nothing is changed. */
  readonly 'POST /api/v2/layers/{id}/columns/{column}/type/preview/': {
    readonly body: {
      readonly type: "text" | "integer" | "bigint" | "double precision" | "numeric" | "boolean" | "date" | "time" | "timestamptz" | "uuid" | "jsonb";
    };
    readonly answer: Operations['POST /api/v2/datasets/{id}/calculate/preview/']['answer'];
  };
  /** What uses the column. */
  readonly 'GET /api/v2/layers/{id}/columns/{column}/uses/': { readonly answer: Operations['GET /api/v2/datasets/{id}/columns/{column}/uses/']['answer'] };
  /** Who changed which row of the layer when, the newest first; for who may read its rows. */
  readonly 'GET /api/v2/layers/{id}/history/': {
    readonly query: Pick<Parameters, 'before' | 'limit'> & {
      readonly feature?: string;
    };
    readonly answer: Operations['GET /api/v2/datasets/{id}/history/']['answer'];
  };
  /** Undo one edit, as a new edit, unless the row was changed since. */
  readonly 'POST /api/v2/layers/{id}/history/{edit}/undo/': { readonly answer: undefined };
  /** Tables that are joined to the layer, for who manages it. */
  readonly 'GET /api/v2/layers/{id}/joins/': { readonly answer: Operations['GET /api/v2/datasets/{id}/joins/']['answer'] };
  /** Join a table by a key: its values are copied into new columns of the layer. */
  readonly 'POST /api/v2/layers/{id}/joins/': {
    readonly body: Operations['POST /api/v2/datasets/{id}/joins/']['body'];
    readonly answer: Operations['POST /api/v2/datasets/{id}/joins/']['answer'];
  };
  /** How well the keys of a layer and a table fit; nothing is changed. */
  readonly 'POST /api/v2/layers/{id}/joins/preview/': {
    readonly body: Operations['POST /api/v2/datasets/{id}/joins/preview/']['body'];
    readonly answer: Operations['POST /api/v2/datasets/{id}/joins/']['answer'];
  };
  /** Forget that the values came from a table; they stay in the layer. */
  readonly 'DELETE /api/v2/layers/{id}/joins/{join}/': { readonly answer: undefined };
  /** Copy the values of a joined table again. */
  readonly 'POST /api/v2/layers/{id}/joins/{join}/refresh/': { readonly answer: Operations['POST /api/v2/datasets/{id}/joins/']['answer'] };
  /** Data of the layer from before files or calculations changed them, kept for 30 days. */
  readonly 'GET /api/v2/layers/{id}/kept/': { readonly answer: Operations['GET /api/v2/datasets/{id}/kept/']['answer'] };
  /** Undo a replacement, an addition, a calculation or a change of type: what was there comes back. */
  readonly 'POST /api/v2/layers/{id}/kept/{kept}/restore/': { readonly answer: Operations['POST /api/v2/datasets/{id}/kept/{kept}/restore/']['answer'] };
  /** What is related to it. */
  readonly 'GET /api/v2/layers/{id}/keywords/': {
    readonly answer: {
      readonly keywords: ReadonlyArray<EmbeddedKeyword>;
    };
  };
  /** What a process made the layer of, and whether that has changed since. */
  readonly 'GET /api/v2/layers/{id}/lineage/': { readonly answer: Operations['GET /api/v2/datasets/{id}/lineage/']['answer'] };
  /** Make the layer again of what it was made of, as a job that replaces its rows. */
  readonly 'POST /api/v2/layers/{id}/lineage/refresh/': { readonly answer: Operations['POST /api/v2/datasets/{id}/lineage/refresh/']['answer'] };
  /** Items that it is linked to, and that are linked to it. */
  readonly 'GET /api/v2/layers/{id}/linked_resources/': { readonly answer: LinkedResources };
  /** Link it to other items. */
  readonly 'POST /api/v2/layers/{id}/linked_resources/': {
    readonly body: {
      readonly target: number | ReadonlyArray<number>;
    };
    readonly answer: ChangedLinks;
  };
  /** Take links away. */
  readonly 'DELETE /api/v2/layers/{id}/linked_resources/': {
    readonly body: {
      readonly target: number | ReadonlyArray<number>;
    };
    readonly answer: ChangedLinks;
  };
  /** What is related to it. */
  readonly 'GET /api/v2/layers/{id}/links/': {
    readonly answer: {
      readonly links: ReadonlyArray<Link>;
    };
  };
  /** Who may do what with it, as levels: view, download, edit, manage. */
  readonly 'GET /api/v2/layers/{id}/permissions/': { readonly answer: PermissionLevels };
  /** Replace. */
  readonly 'PUT /api/v2/layers/{id}/permissions/': {
    readonly body: Operations['PUT /api/v2/datasets/{id}/permissions/']['body'];
    readonly answer: PermissionLevels | undefined;
  };
  /** Change. */
  readonly 'PATCH /api/v2/layers/{id}/permissions/': {
    readonly body: Operations['PUT /api/v2/datasets/{id}/permissions/']['body'];
    readonly answer: PermissionLevels | undefined;
  };
  /** Delete. */
  readonly 'DELETE /api/v2/layers/{id}/permissions/': { readonly answer: PermissionLevels | undefined };
  /** How its columns and its pop-up are shown, and its filter. */
  readonly 'GET /api/v2/layers/{id}/presentation/': { readonly answer: Operations['GET /api/v2/datasets/{id}/presentation/']['answer'] };
  /** Set how its columns and its pop-up are shown, and its filter; a part that is not sent stays. */
  readonly 'PUT /api/v2/layers/{id}/presentation/': {
    readonly body: Operations['PUT /api/v2/datasets/{id}/presentation/']['body'];
    readonly answer: Operations['GET /api/v2/datasets/{id}/presentation/']['answer'];
  };
  /** Where the data came from, when they were renewed last and by what, whether that is as often as declared, and what was made of them. */
  readonly 'GET /api/v2/layers/{id}/provenance/': { readonly answer: Operations['GET /api/v2/datasets/{id}/provenance/']['answer'] };
  /** Compute its extent from its rows. */
  readonly 'PUT /api/v2/layers/{id}/recalc-bbox/': {
    readonly answer: {
      readonly success: boolean;
    };
  };
  /** What is related to it. */
  readonly 'GET /api/v2/layers/{id}/regions/': {
    readonly answer: {
      readonly regions: ReadonlyArray<EmbeddedRegion>;
    };
  };
  /** Send the files of a layer. */
  readonly 'POST /api/v2/layers/{id}/replace/': { readonly body: FormData; readonly answer: AcceptedUpload };
  /** Send the files of a layer. */
  readonly 'PUT /api/v2/layers/{id}/replace/': { readonly body: FormData; readonly answer: AcceptedUpload };
  /** Choose its small picture. */
  readonly 'PUT /api/v2/layers/{id}/set_thumbnail/': {
    readonly body: Operations['PUT /api/v2/datasets/{id}/set_thumbnail/']['body'];
    readonly answer: Operations['PUT /api/v2/datasets/{id}/set_thumbnail/']['answer'];
  };
  /** Which address the layer follows, for who manages it. */
  readonly 'GET /api/v2/layers/{id}/source/': { readonly answer: Operations['GET /api/v2/datasets/{id}/source/']['answer'] };
  /** Have a layer follow an address: its rows become those of the address, on a timetable; or pause it. */
  readonly 'PUT /api/v2/layers/{id}/source/': {
    readonly body: Operations['PUT /api/v2/datasets/{id}/source/']['body'];
    readonly answer: Operations['PUT /api/v2/datasets/{id}/source/']['answer'];
  };
  /** Follow the address no longer; the rows stay. */
  readonly 'DELETE /api/v2/layers/{id}/source/': { readonly answer: undefined };
  /** Ask the address now. */
  readonly 'POST /api/v2/layers/{id}/source/refresh/': { readonly answer: Operations['POST /api/v2/datasets/{id}/source/refresh/']['answer'] };
  /** What is related to it. */
  readonly 'GET /api/v2/layers/{id}/styles/': {
    readonly answer: {
      readonly styles: ReadonlyArray<Style>;
    };
  };
  /** Its time dimension. */
  readonly 'GET /api/v2/layers/{id}/timeseries/': { readonly answer: Operations['GET /api/v2/datasets/{id}/timeseries/']['answer'] };
  /** Switch its time dimension on or off. */
  readonly 'PUT /api/v2/layers/{id}/timeseries/': {
    readonly body: Operations['PUT /api/v2/datasets/{id}/timeseries/']['body'];
    readonly answer: {
      readonly message: string;
    };
  };
  /** What is related to it. */
  readonly 'GET /api/v2/layers/{id}/tkeywords/': {
    readonly answer: {
      readonly tkeywords: ReadonlyArray<EmbeddedTkeyword>;
    };
  };
  /** List. */
  readonly 'GET /api/v2/maps/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'extent' | 'include[]' | 'exclude[]' | 'sideloading'>;
    readonly answer: MapList;
  };
  /** Create one or several. */
  readonly 'POST /api/v2/maps/': {
    readonly body: MapInput | {
      readonly map: MapInput;
    } | {
      readonly maps: ReadonlyArray<MapInput>;
    } | ReadonlyArray<MapInput>;
    readonly answer: {
      readonly map: Map;
      readonly meta?: Ignored;
    } | {
      readonly maps: ReadonlyArray<Map>;
      readonly meta?: Ignored;
    };
  };
  /** Change several. */
  readonly 'PATCH /api/v2/maps/': {
    readonly query: Pick<Parameters, 'patch-all' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'extent'>;
    readonly body: ReadonlyArray<MapChangeById> | {
      readonly maps: ReadonlyArray<MapChangeById>;
    } | MapChange | {
      readonly map: MapChange;
    };
    readonly answer: {
      readonly maps?: ReadonlyArray<Map>;
      readonly meta: NonNullable<Updated['meta']>;
    };
  };
  /** Delete several. */
  readonly 'DELETE /api/v2/maps/': {
    readonly body: ReadonlyArray<{
      readonly id: number;
    }> | {
      readonly maps: ReadonlyArray<{
        readonly id: number;
      }>;
    };
    readonly answer: undefined;
  };
  /** One record. */
  readonly 'GET /api/v2/maps/{id}/': {
    readonly query: Pick<Parameters, 'include[]' | 'exclude[]' | 'sideloading'>;
    readonly answer: {
      readonly map: Map;
    };
  };
  /** Replace. */
  readonly 'PUT /api/v2/maps/{id}/': {
    readonly body: MapInput;
    readonly answer: {
      readonly map?: Map;
      readonly meta: NonNullable<Updated['meta']>;
    };
  };
  /** Change. */
  readonly 'PATCH /api/v2/maps/{id}/': { readonly body: MapChange; readonly answer: Operations['PUT /api/v2/maps/{id}/']['answer'] };
  /** Delete. */
  readonly 'DELETE /api/v2/maps/{id}/': { readonly answer: undefined };
  /** What is related to it. */
  readonly 'GET /api/v2/maps/{id}/data/': {
    readonly answer: {
      readonly MapData: Readonly<Record<string, unknown>> | null;
    };
  };
  /** What is related to it. */
  readonly 'GET /api/v2/maps/{id}/keywords/': {
    readonly answer: {
      readonly keywords: ReadonlyArray<EmbeddedKeyword>;
    };
  };
  /** What is related to it. */
  readonly 'GET /api/v2/maps/{id}/layers/': { readonly answer: ReadonlyArray<MapLayer> };
  /** Items that it is linked to, and that are linked to it. */
  readonly 'GET /api/v2/maps/{id}/linked_resources/': { readonly answer: LinkedResources };
  /** Link it to other items. */
  readonly 'POST /api/v2/maps/{id}/linked_resources/': {
    readonly body: {
      readonly target: number | ReadonlyArray<number>;
    };
    readonly answer: ChangedLinks;
  };
  /** Take links away. */
  readonly 'DELETE /api/v2/maps/{id}/linked_resources/': {
    readonly body: {
      readonly target: number | ReadonlyArray<number>;
    };
    readonly answer: ChangedLinks;
  };
  /** What is related to it. */
  readonly 'GET /api/v2/maps/{id}/links/': {
    readonly answer: {
      readonly links: ReadonlyArray<Link>;
    };
  };
  /** What is related to it. */
  readonly 'GET /api/v2/maps/{id}/local_layers/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'extent' | 'include[]' | 'exclude[]'>;
    readonly answer: ReadonlyArray<Layer>;
  };
  /** Who may do what with it, as levels: view, download, edit, manage. */
  readonly 'GET /api/v2/maps/{id}/permissions/': { readonly answer: PermissionLevels };
  /** Replace. */
  readonly 'PUT /api/v2/maps/{id}/permissions/': {
    readonly body: Operations['PUT /api/v2/datasets/{id}/permissions/']['body'];
    readonly answer: PermissionLevels | undefined;
  };
  /** Change. */
  readonly 'PATCH /api/v2/maps/{id}/permissions/': {
    readonly body: Operations['PUT /api/v2/datasets/{id}/permissions/']['body'];
    readonly answer: PermissionLevels | undefined;
  };
  /** Delete. */
  readonly 'DELETE /api/v2/maps/{id}/permissions/': { readonly answer: PermissionLevels | undefined };
  /** What is related to it. */
  readonly 'GET /api/v2/maps/{id}/regions/': {
    readonly answer: {
      readonly regions: ReadonlyArray<EmbeddedRegion>;
    };
  };
  /** Choose its small picture. */
  readonly 'PUT /api/v2/maps/{id}/set_thumbnail/': {
    readonly body: Operations['PUT /api/v2/datasets/{id}/set_thumbnail/']['body'];
    readonly answer: Operations['PUT /api/v2/datasets/{id}/set_thumbnail/']['answer'];
  };
  /** What is related to it. */
  readonly 'GET /api/v2/maps/{id}/tkeywords/': {
    readonly answer: {
      readonly tkeywords: ReadonlyArray<EmbeddedTkeyword>;
    };
  };
  /** Metadata as a form: its JSON Schema, the values of an item, and what can be entered. */
  readonly 'GET /api/v2/metadata/autocomplete/categories/': {
    readonly query: Pick<Parameters, 'q'>;
    readonly answer: {
      readonly results: ReadonlyArray<{
        readonly id: string;
        readonly label: string;
      }>;
    };
  };
  /** Metadata as a form: its JSON Schema, the values of an item, and what can be entered. */
  readonly 'GET /api/v2/metadata/autocomplete/keywords/': {
    readonly query: Pick<Parameters, 'q'>;
    readonly answer: Operations['GET /api/v2/metadata/autocomplete/categories/']['answer'];
  };
  /** Metadata as a form: its JSON Schema, the values of an item, and what can be entered. */
  readonly 'GET /api/v2/metadata/autocomplete/regions/': {
    readonly query: Pick<Parameters, 'q'>;
    readonly answer: Operations['GET /api/v2/metadata/autocomplete/categories/']['answer'];
  };
  /** Metadata as a form: its JSON Schema, the values of an item, and what can be entered. */
  readonly 'GET /api/v2/metadata/instance/{id}/': {
    readonly answer: {
      readonly title?: string;
    };
  };
  /** Metadata as a form: its JSON Schema, the values of an item, and what can be entered. */
  readonly 'PUT /api/v2/metadata/instance/{id}/': {
    readonly body: {
      readonly title?: string;
    };
    readonly answer: {
      readonly message: string;
      readonly extraErrors: Readonly<Record<string, {
        readonly __errors?: ReadonlyArray<string>;
      }>>;
    };
  };
  /** Metadata as a form: its JSON Schema, the values of an item, and what can be entered. */
  readonly 'GET /api/v2/metadata/schema/': { readonly answer: Readonly<Record<string, unknown>> };
  /** The mode of service (normal, read-only, maintenance) and its message. */
  readonly 'GET /api/v2/mode/': {
    readonly answer: {
      readonly mode: "normal" | "read-only" | "maintenance";
      readonly message: string;
      readonly since: string | null;
    };
  };
  /** Set the mode of service; for administrators, in any mode. */
  readonly 'PUT /api/v2/mode/': {
    readonly body: {
      readonly mode: "normal" | "read-only" | "maintenance";
      readonly message?: string;
    };
    readonly answer: Operations['GET /api/v2/mode/']['answer'];
  };
  /** What happened to followed items, newest first. */
  readonly 'GET /api/v2/notifications/': {
    readonly query: Pick<Parameters, 'before' | 'limit'> & {
      readonly unread?: boolean;
    };
    readonly answer: {
      readonly notifications: ReadonlyArray<Notification>;
      /** How many are unread; 100: or more. */
      readonly unread: number;
    };
  };
  /** Mark notifications as read, up to the newest that was shown. */
  readonly 'POST /api/v2/notifications/read/': {
    readonly body: {
      readonly up_to: number;
    };
    readonly answer: Updated;
  };
  /** Which notifications come, and how. */
  readonly 'GET /api/v2/notifications/settings/': {
    readonly answer: {
      readonly settings: {
        readonly comment: {
          readonly in_pages: boolean;
          readonly by_mail: boolean;
        };
        readonly mention: {
          readonly in_pages: boolean;
          readonly by_mail: boolean;
        };
        readonly data: {
          readonly in_pages: boolean;
          readonly by_mail: boolean;
        };
        readonly content: {
          readonly in_pages: boolean;
          readonly by_mail: boolean;
        };
        readonly metadata: {
          readonly in_pages: boolean;
          readonly by_mail: boolean;
        };
        readonly deleted: {
          readonly in_pages: boolean;
          readonly by_mail: boolean;
        };
        readonly new: {
          readonly in_pages: boolean;
          readonly by_mail: boolean;
        };
        readonly source: {
          readonly in_pages: boolean;
          readonly by_mail: boolean;
        };
      };
    };
  };
  /** Choose which notifications come, and how; what is not named stays. */
  readonly 'PATCH /api/v2/notifications/settings/': {
    readonly body: {
      readonly comment?: {
        readonly in_pages?: boolean;
        readonly by_mail?: boolean;
      };
      readonly mention?: {
        readonly in_pages?: boolean;
        readonly by_mail?: boolean;
      };
      readonly data?: {
        readonly in_pages?: boolean;
        readonly by_mail?: boolean;
      };
      readonly content?: {
        readonly in_pages?: boolean;
        readonly by_mail?: boolean;
      };
      readonly metadata?: {
        readonly in_pages?: boolean;
        readonly by_mail?: boolean;
      };
      readonly deleted?: {
        readonly in_pages?: boolean;
        readonly by_mail?: boolean;
      };
      readonly new?: {
        readonly in_pages?: boolean;
        readonly by_mail?: boolean;
      };
      readonly source?: {
        readonly in_pages?: boolean;
        readonly by_mail?: boolean;
      };
    };
    readonly answer: Updated;
  };
  /** How many notifications are unread. */
  readonly 'GET /api/v2/notifications/unread/': {
    readonly answer: {
      readonly unread: number;
    };
  };
  /** Mark a notification as read or unread. */
  readonly 'PATCH /api/v2/notifications/{id}/': {
    readonly body: {
      readonly read: boolean;
    };
    readonly answer: Updated;
  };
  /** List. */
  readonly 'GET /api/v2/owners/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'exclude[]' | 'sideloading'>;
    readonly answer: OwnerList;
  };
  /** One record. */
  readonly 'GET /api/v2/owners/{id}/': {
    readonly query: Pick<Parameters, 'exclude[]' | 'sideloading'>;
    readonly answer: {
      readonly owner: Owner;
    };
  };
  /** What the own account prefers. */
  readonly 'GET /api/v2/preferences/': {
    readonly answer: {
      readonly preferences: {
        readonly tour?: "done";
        readonly basemaps?: "done";
        readonly theme?: "auto" | "light" | "dark";
        readonly language?: "en" | "de" | "fr" | "es";
      };
    };
  };
  /** Change what the own account prefers; null is as usual. */
  readonly 'PATCH /api/v2/preferences/': {
    readonly body: {
      readonly tour?: "done" | null;
      readonly basemaps?: "done" | null;
      readonly theme?: "auto" | "light" | "dark" | null;
      readonly language?: "en" | "de" | "fr" | "es" | null;
    };
    readonly answer: Updated;
  };
  /** List. */
  readonly 'GET /api/v2/regions/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'exclude[]' | 'sideloading'>;
    readonly answer: RegionList;
  };
  /** One record. */
  readonly 'GET /api/v2/regions/{id}/': {
    readonly query: Pick<Parameters, 'exclude[]' | 'sideloading'>;
    readonly answer: {
      readonly region: Region;
    };
  };
  /** Features of such a layer in a box, 1000 at most. */
  readonly 'GET /api/v2/remote/features/': {
    readonly query: Pick<Parameters, 'kind' | 'url' | 'name' | 'version' | 'style' | 'image' | 'info' | 'output' | 'srs'> & {
      readonly bbox?: string;
    };
    readonly answer: {
      readonly type: "FeatureCollection";
      readonly features: ReadonlyArray<Readonly<Record<string, unknown>>>;
      readonly truncated: boolean;
    };
  };
  /** What such a layer has at a place. */
  readonly 'GET /api/v2/remote/info/': {
    readonly query: Pick<Parameters, 'kind' | 'url' | 'name' | 'version' | 'style' | 'image' | 'info' | 'output' | 'srs'> & {
      readonly lng?: number;
      readonly lat?: number;
      readonly zoom?: number;
    };
    readonly answer: {
      readonly found: ReadonlyArray<Readonly<Record<string, string>>>;
    };
  };
  /** The legend of such a layer. */
  readonly 'GET /api/v2/remote/legend/': {
    readonly query: Pick<Parameters, 'kind' | 'url' | 'name' | 'version' | 'style' | 'image' | 'info' | 'output' | 'srs'>;
    readonly answer: {
      readonly legend: ReadonlyArray<{
        readonly label: string;
        readonly picture: string;
      }>;
    };
  };
  /** The picture that such a layer is, for kind image. */
  readonly 'GET /api/v2/remote/picture/': {
    readonly query: Pick<Parameters, 'kind' | 'url' | 'name' | 'version' | 'style' | 'image' | 'info' | 'output' | 'srs'>;
    readonly answer: unknown;
  };
  /** What a service of somebody else offers, read from its address: WMS, WMTS, WFS, OGC API, ArcGIS, CSW, STAC, GeoNode, or tiles by {z}, {x} and {y}. */
  readonly 'GET /api/v2/remote/service/': {
    readonly query: Pick<Parameters, 'url'>;
    readonly answer: {
      readonly kind: "wms" | "wmts" | "xyz" | "wfs" | "ogc-api" | "arcgis" | "geonode" | "csw" | "records" | "stac";
      readonly title: string;
      readonly abstract: string;
      readonly layers: ReadonlyArray<{
        readonly name: string;
        readonly title: string;
        readonly abstract: string;
        readonly keywords: ReadonlyArray<string>;
        readonly bbox: ReadonlyArray<number> | null;
        readonly attribution: string;
        readonly layer: {
          readonly kind: "wms" | "tiles" | "features" | "arcgis-map" | "arcgis-features" | "wfs" | "image";
          readonly url: string;
          readonly name: string;
          readonly version: "1.1.1" | "1.3.0" | "1.1.0" | "2.0.0";
          readonly style: string;
          readonly image: "image/png" | "image/jpeg";
          readonly info: "application/json" | "application/geo+json" | "application/vnd.ogc.gml" | "text/xml" | "text/plain" | null;
          readonly output: string;
          readonly srs: string;
        } | null;
        readonly reason: "files" | "page" | "unnamed" | "no-links" | null;
        readonly page: string | null;
      }>;
      readonly truncated: boolean;
    };
  };
  /** Services of others that are registered. */
  readonly 'GET /api/v2/remote/services/': {
    readonly answer: {
      readonly services: ReadonlyArray<{
        readonly id: number;
        readonly url: string;
        readonly kind: string;
        readonly title: string;
        readonly abstract: string;
        readonly every_hours: number | null;
        readonly created: string;
        readonly harvested: string | null;
        readonly tried: string | null;
        readonly error: string | null;
        readonly health: "reachable" | "failing" | "unknown";
        readonly offered: number;
        readonly layers: number;
        readonly gone: number;
        readonly owner: string | null;
      }>;
    };
  };
  /** Register a service by its address; `every_hours` is how often it is asked again. */
  readonly 'POST /api/v2/remote/services/': {
    readonly body: {
      readonly url: string;
      readonly every_hours?: number | null;
    };
    readonly answer: {
      readonly service: {
        readonly id: number;
        readonly url: string;
        readonly kind: string;
        readonly title: string;
        readonly abstract: string;
        readonly every_hours: number | null;
        readonly created: string;
        readonly harvested: string | null;
        readonly tried: string | null;
        readonly error: string | null;
        readonly health: "reachable" | "failing" | "unknown";
        readonly offered: number;
        readonly layers: number;
        readonly gone: number;
        readonly owner: string | null;
        readonly offers: ReadonlyArray<{
          readonly name: string;
          readonly title: string;
          readonly abstract: string;
          readonly reason: "files" | "page" | "unnamed" | "no-links" | null;
          readonly page: string | null;
          /** What it is in the catalogue once it is chosen; null: it cannot be. */
          readonly becomes: "layer" | "document" | null;
          readonly layer: string | null;
          readonly document: string | null;
        }>;
      };
    };
  };
  /** A service with what it offers, and which layer of the catalogue each is. */
  readonly 'GET /api/v2/remote/services/{id}/': { readonly answer: Operations['POST /api/v2/remote/services/']['answer'] };
  /** Change how often it is asked. */
  readonly 'PATCH /api/v2/remote/services/{id}/': {
    readonly body: {
      readonly every_hours: number | null;
    };
    readonly answer: Operations['POST /api/v2/remote/services/']['answer'];
  };
  /** Take it off the list; its layers stay in the catalogue. */
  readonly 'DELETE /api/v2/remote/services/{id}/': { readonly answer: undefined };
  /** Ask it now what it offers. */
  readonly 'POST /api/v2/remote/services/{id}/harvest/': { readonly answer: Operations['POST /api/v2/remote/services/']['answer'] };
  /** Make layers of the catalogue of what it offers, each once; null for what it does not offer. */
  readonly 'POST /api/v2/remote/services/{id}/layers/': {
    readonly body: {
      readonly names: ReadonlyArray<string>;
      /** As `set_perms` takes them; not sent: nobody but their owner sees the new ones. */
      readonly permissions?: Readonly<Record<string, unknown>>;
    };
    readonly answer: {
      readonly layers: ReadonlyArray<{
        readonly name: string;
        readonly layer: string | null;
        readonly document: string | null;
      }>;
    };
  };
  /** A tile of a layer of somebody else’s service, in the grid of web maps. */
  readonly 'GET /api/v2/remote/tiles/{z}/{x}/{y}/': {
    readonly query: Pick<Parameters, 'kind' | 'url' | 'name' | 'version' | 'style' | 'image' | 'info' | 'output' | 'srs'>;
    readonly answer: unknown;
  };
  /** How far an upload is, by the `execution_id` that sending it has answered. */
  readonly 'GET /api/v2/resource-service/execution-status/{exec_id}/': {
    readonly answer: {
      readonly exec_id: string;
      readonly name: string;
      readonly user: string | null;
      /** An open question counts as running; `log` says what is asked, and where to answer. */
      readonly status: "ready" | "running" | "failed" | "finished";
      readonly source: "upload";
      readonly action: "upload" | "replace" | "append" | "process";
      readonly func_name: string;
      readonly step: string | null;
      readonly progress: number;
      readonly created: string;
      readonly finished: string | null;
      readonly log: string | null;
      readonly input_params: Readonly<Record<string, unknown>>;
      readonly output_params: {
        readonly resources: ReadonlyArray<{
          readonly id: number;
          readonly detail_url: string;
        }>;
        readonly errors?: ReadonlyArray<string>;
      };
      readonly geonode_resource: number | null;
      readonly link: string;
    };
  };
  /** List. */
  readonly 'GET /api/v2/resources/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'extent' | 'include[]' | 'exclude[]' | 'sideloading'>;
    readonly answer: ResourceList;
  };
  /** Create one or several. */
  readonly 'POST /api/v2/resources/': {
    readonly body: ResourceInput | {
      readonly resource: ResourceInput;
    } | {
      readonly resources: ReadonlyArray<ResourceInput>;
    } | ReadonlyArray<ResourceInput>;
    readonly answer: {
      readonly resource: Resource;
      readonly meta?: Ignored;
    } | {
      readonly resources: ReadonlyArray<Resource>;
      readonly meta?: Ignored;
    };
  };
  /** Change several. */
  readonly 'PATCH /api/v2/resources/': {
    readonly query: Pick<Parameters, 'patch-all' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'extent'>;
    readonly body: ReadonlyArray<ResourceChangeById> | {
      readonly resources: ReadonlyArray<ResourceChangeById>;
    } | ResourceChange | {
      readonly resource: ResourceChange;
    };
    readonly answer: {
      readonly resources?: ReadonlyArray<Resource>;
      readonly meta: NonNullable<Updated['meta']>;
    };
  };
  /** Delete several. */
  readonly 'DELETE /api/v2/resources/': {
    readonly body: ReadonlyArray<{
      readonly id: number;
    }> | {
      readonly resources: ReadonlyArray<{
        readonly id: number;
      }>;
    };
    readonly answer: undefined;
  };
  /** What is related to it. */
  readonly 'GET /api/v2/resources/approved/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'extent' | 'include[]' | 'exclude[]' | 'sideloading'>;
    readonly answer: ResourceList;
  };
  /** What a search can be narrowed by: the number of items behind each value, as the caller sees them. Takes the query of the list; `page_size` is the number of values of each facet. The filters by a field do not count for its own facet.. */
  readonly 'GET /api/v2/resources/facets/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'extent' | 'include[]' | 'exclude[]' | 'sideloading'>;
    readonly answer: {
      readonly total: number;
      readonly facets: ReadonlyArray<{
        readonly name: "resource_type" | "category" | "keywords" | "regions" | "owner";
        /** The parameter that narrows the list to a value; can be repeated. */
        readonly filter: string;
        /** How many values there are, shown or not. */
        readonly values: number;
        readonly entries: ReadonlyArray<{
          readonly value: string;
          readonly label: string;
          readonly count: number;
        }>;
      }>;
    };
  };
  /** What is related to it. */
  readonly 'GET /api/v2/resources/favorites/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'extent' | 'include[]' | 'exclude[]' | 'sideloading'>;
    readonly answer: ResourceList;
  };
  /** What is related to it. */
  readonly 'GET /api/v2/resources/featured/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'extent' | 'include[]' | 'exclude[]' | 'sideloading'>;
    readonly answer: ResourceList;
  };
  /** What is related to it. */
  readonly 'GET /api/v2/resources/followed/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'extent' | 'include[]' | 'exclude[]' | 'sideloading'>;
    readonly answer: ResourceList;
  };
  /** Where the words of a search stand in some items, to be shown. */
  readonly 'GET /api/v2/resources/matches/': {
    readonly query: {
      readonly search?: string;
      readonly pk?: ReadonlyArray<number>;
    };
    readonly answer: {
      /** Nothing was guessed: the items have the words themselves. */
      readonly exact: boolean;
      readonly matches: ReadonlyArray<{
        readonly pk: string;
        readonly words: ReadonlyArray<string>;
        readonly terms: ReadonlyArray<string>;
      }>;
    };
  };
  /** What is related to it. */
  readonly 'GET /api/v2/resources/published/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'extent' | 'include[]' | 'exclude[]' | 'sideloading'>;
    readonly answer: ResourceList;
  };
  /** What is related to it. */
  readonly 'GET /api/v2/resources/resource_types/': {
    readonly answer: {
      readonly resource_types: ReadonlyArray<string>;
    };
  };
  /** One record. */
  readonly 'GET /api/v2/resources/{id}/': {
    readonly query: Pick<Parameters, 'include[]' | 'exclude[]' | 'sideloading'>;
    readonly answer: {
      readonly resource: Resource;
    };
  };
  /** Replace. */
  readonly 'PUT /api/v2/resources/{id}/': {
    readonly body: ResourceInput;
    readonly answer: {
      readonly resource?: Resource;
      readonly meta: NonNullable<Updated['meta']>;
    };
  };
  /** Change. */
  readonly 'PATCH /api/v2/resources/{id}/': {
    readonly body: ResourceChange;
    readonly answer: Operations['PUT /api/v2/resources/{id}/']['answer'];
  };
  /** Delete. */
  readonly 'DELETE /api/v2/resources/{id}/': { readonly answer: undefined };
  /** Files beside it: documents that are linked to it. */
  readonly 'GET /api/v2/resources/{id}/assets/': { readonly answer: ReadonlyArray<Asset> };
  /** Files beside it: documents that are linked to it. */
  readonly 'POST /api/v2/resources/{id}/assets/': { readonly body: FormData; readonly answer: Asset };
  /** Files beside it: documents that are linked to it. */
  readonly 'DELETE /api/v2/resources/{id}/assets/{asset}/': { readonly answer: undefined };
  /** Whom it is shared with, and what they lack of the items that it shows; for who shares it. */
  readonly 'GET /api/v2/resources/{id}/audience/': { readonly answer: Audience };
  /** Give them what they lack, where the caller may, and nothing else. */
  readonly 'POST /api/v2/resources/{id}/audience/': { readonly answer: Audience };
  /** Comments on an item, newest first. */
  readonly 'GET /api/v2/resources/{id}/comments/': {
    readonly query: Pick<Parameters, 'before' | 'limit'>;
    readonly answer: {
      readonly comments: ReadonlyArray<Comment>;
      /** How many there are that nobody has hidden. */
      readonly total: number;
      readonly may_comment: boolean;
      /** Whether comments are written in this portal. */
      readonly is_open: boolean;
    };
  };
  /** Comment on an item. */
  readonly 'POST /api/v2/resources/{id}/comments/': {
    readonly body: {
      readonly body: string;
    };
    readonly answer: Comment;
  };
  /** Change the own comment; owners of the item and administrators hide and show comments. */
  readonly 'PATCH /api/v2/resources/{id}/comments/{comment}/': {
    readonly body: {
      readonly body?: string;
      readonly hidden?: boolean;
    };
    readonly answer: Comment;
  };
  /** Delete a comment. */
  readonly 'DELETE /api/v2/resources/{id}/comments/{comment}/': { readonly answer: undefined };
  /** Make a new item like this one, the caller’s own; layers are not copied. */
  readonly 'PUT /api/v2/resources/{id}/copy/': {
    readonly body: {
      /** Fields of the new item, as JSON or as JSON text. */
      readonly defaults?: Readonly<Record<string, unknown>> | string;
    } | string | undefined;
    readonly answer: {
      readonly map: Map;
      readonly meta?: Ignored;
    } | {
      readonly document: Document;
      readonly meta?: Ignored;
    } | {
      readonly geoapp: Geoapp;
      readonly meta?: Ignored;
    } | {
      readonly geostory: Geostory;
      readonly meta?: Ignored;
    };
  };
  /** Delete. */
  readonly 'DELETE /api/v2/resources/{id}/delete/': { readonly answer: undefined };
  /** Take its chosen picture away: the drawn one is shown again. */
  readonly 'POST /api/v2/resources/{id}/delete_thumbnail/': { readonly answer: Operations['PUT /api/v2/datasets/{id}/set_thumbnail/']['answer'] };
  /** Create one or several. */
  readonly 'POST /api/v2/resources/{id}/favorite/': { readonly answer: Readonly<Record<string, string>> };
  /** Delete. */
  readonly 'DELETE /api/v2/resources/{id}/favorite/': { readonly answer: Readonly<Record<string, string>> };
  /** Whether the own account follows an item. */
  readonly 'GET /api/v2/resources/{id}/follow/': { readonly answer: Following };
  /** Follow an item. */
  readonly 'POST /api/v2/resources/{id}/follow/': { readonly answer: Following };
  /** Stop following an item. */
  readonly 'DELETE /api/v2/resources/{id}/follow/': { readonly answer: Following };
  /** What is related to it. */
  readonly 'GET /api/v2/resources/{id}/get_perms/': { readonly answer: Permissions };
  /** What is related to it. */
  readonly 'GET /api/v2/resources/{id}/keywords/': {
    readonly answer: {
      readonly keywords: ReadonlyArray<EmbeddedKeyword>;
    };
  };
  /** Items that it is linked to, and that are linked to it. */
  readonly 'GET /api/v2/resources/{id}/linked_resources/': { readonly answer: LinkedResources };
  /** Link it to other items. */
  readonly 'POST /api/v2/resources/{id}/linked_resources/': {
    readonly body: {
      readonly target: number | ReadonlyArray<number>;
    };
    readonly answer: ChangedLinks;
  };
  /** Take links away. */
  readonly 'DELETE /api/v2/resources/{id}/linked_resources/': {
    readonly body: {
      readonly target: number | ReadonlyArray<number>;
    };
    readonly answer: ChangedLinks;
  };
  /** What is related to it. */
  readonly 'GET /api/v2/resources/{id}/links/': {
    readonly answer: {
      readonly links: ReadonlyArray<Link>;
    };
  };
  /** Who may do what with it, as levels: view, download, edit, manage. */
  readonly 'GET /api/v2/resources/{id}/permissions/': { readonly answer: PermissionLevels };
  /** Replace. */
  readonly 'PUT /api/v2/resources/{id}/permissions/': {
    readonly body: Operations['PUT /api/v2/datasets/{id}/permissions/']['body'];
    readonly answer: PermissionLevels | undefined;
  };
  /** Change. */
  readonly 'PATCH /api/v2/resources/{id}/permissions/': {
    readonly body: Operations['PUT /api/v2/datasets/{id}/permissions/']['body'];
    readonly answer: PermissionLevels | undefined;
  };
  /** Delete. */
  readonly 'DELETE /api/v2/resources/{id}/permissions/': { readonly answer: PermissionLevels | undefined };
  /** How an item was rated. */
  readonly 'GET /api/v2/resources/{id}/rating/': { readonly answer: Rating };
  /** Rate an item, or change the own rating. */
  readonly 'PUT /api/v2/resources/{id}/rating/': {
    readonly body: {
      readonly stars: number;
    };
    readonly answer: Rating;
  };
  /** Take the own rating back. */
  readonly 'DELETE /api/v2/resources/{id}/rating/': { readonly answer: Rating };
  /** What is related to it. */
  readonly 'GET /api/v2/resources/{id}/regions/': {
    readonly answer: {
      readonly regions: ReadonlyArray<EmbeddedRegion>;
    };
  };
  /** Replace. */
  readonly 'PUT /api/v2/resources/{id}/set_perms/': { readonly body: SentPermissions; readonly answer: SentPermissions };
  /** Choose its small picture. */
  readonly 'PUT /api/v2/resources/{id}/set_thumbnail/': {
    readonly body: Operations['PUT /api/v2/datasets/{id}/set_thumbnail/']['body'];
    readonly answer: Operations['PUT /api/v2/datasets/{id}/set_thumbnail/']['answer'];
  };
  /** Choose its small picture. */
  readonly 'POST /api/v2/resources/{id}/set_thumbnail_from_bbox/': {
    readonly body: {
      /** x, x, y, y. */
      readonly bbox: ReadonlyArray<number>;
      /** Its coordinate system; `EPSG:4326` if none is named. */
      readonly srid?: string;
    };
    readonly answer: Operations['PUT /api/v2/datasets/{id}/set_thumbnail/']['answer'];
  };
  /** Links for everybody who has them; for who manages the permissions. */
  readonly 'GET /api/v2/resources/{id}/share_links/': { readonly answer: ShareLinks };
  /** Make a link; 20 for an item at most. */
  readonly 'POST /api/v2/resources/{id}/share_links/': {
    readonly body: {
      /** For whom it is; only who manages the item reads it. */
      readonly title?: string;
      readonly permissions?: "view" | "download";
      /** Null: never. */
      readonly expires?: string | null;
    };
    readonly answer: ShareLinks;
  };
  /** Let the links show what the item shows, where the caller may. */
  readonly 'POST /api/v2/resources/{id}/share_links/share/': { readonly answer: ShareLinks };
  /** When it ends, what it lets people do, whether it is on. */
  readonly 'PATCH /api/v2/resources/{id}/share_links/{link}/': {
    readonly body: {
      /** For whom it is; only who manages the item reads it. */
      readonly title?: string;
      readonly permissions?: "view" | "download";
      /** Null: never. */
      readonly expires?: string | null;
      readonly is_on?: boolean;
    };
    readonly answer: ShareLinks;
  };
  /** End it; a link of another item shows this one no more. */
  readonly 'DELETE /api/v2/resources/{id}/share_links/{link}/': { readonly answer: ShareLinks };
  /** Another secret; the address before is good for nothing at once. */
  readonly 'POST /api/v2/resources/{id}/share_links/{link}/renew/': { readonly answer: ShareLinks };
  /** What is related to it. */
  readonly 'GET /api/v2/resources/{id}/tkeywords/': {
    readonly answer: {
      readonly tkeywords: ReadonlyArray<EmbeddedTkeyword>;
    };
  };
  /** Maps, stories and apps that use it; those that the caller does not see are counted. For who may delete it. */
  readonly 'GET /api/v2/resources/{id}/used_by/': {
    readonly answer: {
      readonly items: ReadonlyArray<{
        readonly id: number;
        readonly resource_type: "layer" | "map" | "document" | "geoapp" | "geostory";
        readonly title: string;
      }>;
      readonly total: number;
      readonly others: number;
    };
  };
  /** Versions of content, description and styles, newest first; for who may change them. */
  readonly 'GET /api/v2/resources/{id}/versions/': {
    readonly query: Pick<Parameters, 'before' | 'limit'> & {
      readonly part?: "content" | "metadata" | "style";
    };
    readonly answer: {
      readonly versions: ReadonlyArray<{
        readonly id: number;
        readonly part: "content" | "metadata" | "style";
        readonly style: string | null;
        readonly made: string;
        readonly by: string | null;
        readonly current: boolean;
      }>;
    };
  };
  /** One version with all that is in it. */
  readonly 'GET /api/v2/resources/{id}/versions/{version}/': {
    readonly answer: {
      readonly id: number;
      readonly part: "content" | "metadata" | "style";
      readonly style: string | null;
      readonly made: string;
      readonly by: string | null;
      readonly current: boolean;
      readonly style_id: number | null;
      readonly body: Readonly<Record<string, unknown>>;
    };
  };
  /** Save an earlier version again; that is a new version. */
  readonly 'POST /api/v2/resources/{id}/versions/{version}/restore/': { readonly answer: Updated };
  /** Create one or several. */
  readonly 'POST /api/v2/resources/{id}/views/': { readonly answer: undefined };
  /** This document. */
  readonly 'GET /api/v2/schema/': {
    readonly query: {
      readonly format?: "yaml" | "json" | "openapi" | "openapi-json";
      readonly lang?: string;
    };
    readonly answer: Readonly<Record<string, unknown>>;
  };
  /** Browsers in which one is signed in. */
  readonly 'GET /api/v2/sessions/': {
    readonly answer: {
      readonly sessions: ReadonlyArray<{
        readonly id: number;
        /** What the browser calls itself. */
        readonly agent: string;
        readonly address: string;
        readonly created: string;
        readonly expires: string;
        readonly is_current: boolean;
      }>;
    };
  };
  /** Sign every other browser out. */
  readonly 'DELETE /api/v2/sessions/': { readonly answer: undefined };
  /** Sign a browser out. */
  readonly 'DELETE /api/v2/sessions/{id}/': { readonly answer: undefined };
  /** Switches of the publishing workflow, and of what everybody gets. */
  readonly 'GET /api/v2/settings/': {
    readonly answer: {
      readonly settings: {
        readonly ADMIN_MODERATE_UPLOADS: boolean;
        readonly COMMENTS: boolean;
        readonly DEFAULT_ANONYMOUS_DOWNLOAD_PERMISSION: boolean;
        readonly DEFAULT_ANONYMOUS_VIEW_PERMISSION: boolean;
        readonly GROUPS_BY_ACCOUNTS: boolean;
        readonly GROUP_PRIVATE_RESOURCES: boolean;
        readonly READ_ONLY: boolean;
        readonly RESOURCE_PUBLISHING: boolean;
      };
    };
  };
  /** Turn switches; for administrators. */
  readonly 'PATCH /api/v2/settings/': {
    readonly body: {
      readonly ADMIN_MODERATE_UPLOADS?: boolean;
      readonly COMMENTS?: boolean;
      readonly DEFAULT_ANONYMOUS_DOWNLOAD_PERMISSION?: boolean;
      readonly DEFAULT_ANONYMOUS_VIEW_PERMISSION?: boolean;
      readonly GROUPS_BY_ACCOUNTS?: boolean;
      readonly GROUP_PRIVATE_RESOURCES?: boolean;
      readonly READ_ONLY?: boolean;
      readonly RESOURCE_PUBLISHING?: boolean;
    };
    readonly answer: Updated;
  };
  /** Run a statement in SQL as an administrator, or explain it. */
  readonly 'POST /api/v2/sql/': {
    readonly body: {
      /** One statement: SELECT, VALUES, TABLE, WITH, INSERT, UPDATE, DELETE or MERGE. */
      readonly statement: string;
      readonly action?: "run" | "explain" | "analyze";
      /** What it changes stays. */
      readonly writes?: boolean;
    };
    readonly answer: {
      readonly columns?: ReadonlyArray<string>;
      /** At most 1000, values as texts. */
      readonly rows?: ReadonlyArray<ReadonlyArray<string | null>>;
      /** There are further rows. */
      readonly more?: boolean;
      /** Rows changed, where none are returned. */
      readonly written?: number | null;
      /** What EXPLAIN says (`explain`, `analyze`). */
      readonly plan?: unknown;
    };
  };
  /** Tables and columns that statements of administrators can name. */
  readonly 'GET /api/v2/sql/names/': {
    readonly answer: {
      readonly tables: ReadonlyArray<{
        readonly schema: string;
        readonly name: string;
        readonly columns: ReadonlyArray<string>;
      }>;
    };
  };
  /** Statements that the administrator has saved. */
  readonly 'GET /api/v2/sql/queries/': {
    readonly answer: {
      readonly queries: ReadonlyArray<{
        readonly name: string;
        readonly statement: string;
        readonly changed: string;
      }>;
    };
  };
  /** Save a statement by a name; one that is there by this name is replaced. */
  readonly 'PUT /api/v2/sql/queries/': {
    readonly body: {
      readonly name: string;
      readonly statement: string;
    };
    readonly answer: {
      readonly name: string;
    };
  };
  /** Forget a saved statement. */
  readonly 'DELETE /api/v2/sql/queries/{name}/': { readonly answer: undefined };
  /** How the program runs: copies, queues, failures, space; for administrators. */
  readonly 'GET /api/v2/status/': {
    readonly answer: {
      readonly mode: {
        readonly mode: string;
        readonly message: string;
        readonly since: string | null;
      };
      readonly copies: ReadonlyArray<{
        readonly host: string;
        readonly pid: number;
        readonly version: string;
        readonly services: string;
        readonly started: string;
        readonly silent_seconds: number;
        readonly state: "alive" | "stopping" | "silent";
      }>;
      readonly queues: ReadonlyArray<{
        readonly queue: string;
        readonly waiting: number;
        readonly active: number;
        readonly failed: number;
        readonly waiting_seconds: number;
      }>;
      readonly failed_jobs: ReadonlyArray<{
        readonly queue: string;
        readonly id: string;
        readonly at: string | null;
        readonly attempts: number;
        readonly message: string | null;
      }>;
      readonly uploads: Readonly<Record<string, number>>;
      readonly failed_uploads: ReadonlyArray<{
        readonly id: number;
        readonly name: string;
        readonly at: string;
        readonly owner: string | null;
        readonly message: string | null;
      }>;
      readonly database: {
        readonly bytes: number;
        readonly version: string;
        readonly connections: number;
        readonly replicas: ReadonlyArray<{
          readonly name: string;
          readonly state: string;
          readonly lag_seconds: number | null;
        }>;
      };
      readonly storage: {
        readonly layers: number;
        readonly files: number;
      };
      readonly audit: {
        readonly entries: number;
        readonly since: string | null;
      };
    };
  };
  /** Who uses how much space, and may: administrators see everybody, others themselves. */
  readonly 'GET /api/v2/storage/': {
    readonly answer: {
      readonly storage: ReadonlyArray<{
        readonly pk: number;
        readonly username: string;
        readonly layers: number;
        readonly files: number;
        readonly used: number;
        readonly allowed: number | null;
        readonly quota: number | null;
      }>;
    };
  };
  /** List. */
  readonly 'GET /api/v2/thesauri/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'exclude[]' | 'sideloading'>;
    readonly answer: ThesaurusList;
  };
  /** Create one or several. */
  readonly 'POST /api/v2/thesauri/': {
    readonly body: ThesaurusInput | {
      readonly thesaurus: ThesaurusInput;
    } | {
      readonly thesauri: ReadonlyArray<ThesaurusInput>;
    } | ReadonlyArray<ThesaurusInput>;
    readonly answer: {
      readonly thesaurus: Thesaurus;
      readonly meta?: Ignored;
    } | {
      readonly thesauri: ReadonlyArray<Thesaurus>;
      readonly meta?: Ignored;
    };
  };
  /** Change several. */
  readonly 'PATCH /api/v2/thesauri/': {
    readonly query: Pick<Parameters, 'patch-all' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}`>;
    readonly body: ReadonlyArray<ThesaurusChangeById> | {
      readonly thesauri: ReadonlyArray<ThesaurusChangeById>;
    } | ThesaurusChange | {
      readonly thesaurus: ThesaurusChange;
    };
    readonly answer: {
      readonly thesauri?: ReadonlyArray<Thesaurus>;
      readonly meta: NonNullable<Updated['meta']>;
    };
  };
  /** Delete several. */
  readonly 'DELETE /api/v2/thesauri/': {
    readonly body: ReadonlyArray<{
      readonly id: number;
    }> | {
      readonly thesauri: ReadonlyArray<{
        readonly id: number;
      }>;
    };
    readonly answer: undefined;
  };
  /** One record. */
  readonly 'GET /api/v2/thesauri/{id}/': {
    readonly query: Pick<Parameters, 'exclude[]' | 'sideloading'>;
    readonly answer: {
      readonly thesaurus: Thesaurus;
    };
  };
  /** Replace. */
  readonly 'PUT /api/v2/thesauri/{id}/': {
    readonly body: ThesaurusInput;
    readonly answer: {
      readonly thesaurus?: Thesaurus;
      readonly meta: NonNullable<Updated['meta']>;
    };
  };
  /** Change. */
  readonly 'PATCH /api/v2/thesauri/{id}/': {
    readonly body: ThesaurusChange;
    readonly answer: Operations['PUT /api/v2/thesauri/{id}/']['answer'];
  };
  /** Delete. */
  readonly 'DELETE /api/v2/thesauri/{id}/': { readonly answer: undefined };
  /** List. */
  readonly 'GET /api/v2/tkeywords/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'exclude[]' | 'sideloading'>;
    readonly answer: TkeywordList;
  };
  /** Create one or several. */
  readonly 'POST /api/v2/tkeywords/': {
    readonly body: TkeywordInput | {
      readonly tkeyword: TkeywordInput;
    } | {
      readonly tkeywords: ReadonlyArray<TkeywordInput>;
    } | ReadonlyArray<TkeywordInput>;
    readonly answer: {
      readonly tkeyword: Tkeyword;
      readonly meta?: Ignored;
    } | {
      readonly tkeywords: ReadonlyArray<Tkeyword>;
      readonly meta?: Ignored;
    };
  };
  /** Change several. */
  readonly 'PATCH /api/v2/tkeywords/': {
    readonly query: Pick<Parameters, 'patch-all' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}`>;
    readonly body: ReadonlyArray<TkeywordChangeById> | {
      readonly tkeywords: ReadonlyArray<TkeywordChangeById>;
    } | TkeywordChange | {
      readonly tkeyword: TkeywordChange;
    };
    readonly answer: {
      readonly tkeywords?: ReadonlyArray<Tkeyword>;
      readonly meta: NonNullable<Updated['meta']>;
    };
  };
  /** Delete several. */
  readonly 'DELETE /api/v2/tkeywords/': {
    readonly body: ReadonlyArray<{
      readonly id: number;
    }> | {
      readonly tkeywords: ReadonlyArray<{
        readonly id: number;
      }>;
    };
    readonly answer: undefined;
  };
  /** One record. */
  readonly 'GET /api/v2/tkeywords/{id}/': {
    readonly query: Pick<Parameters, 'exclude[]' | 'sideloading'>;
    readonly answer: {
      readonly tkeyword: Tkeyword;
    };
  };
  /** Replace. */
  readonly 'PUT /api/v2/tkeywords/{id}/': {
    readonly body: TkeywordInput;
    readonly answer: {
      readonly tkeyword?: Tkeyword;
      readonly meta: NonNullable<Updated['meta']>;
    };
  };
  /** Change. */
  readonly 'PATCH /api/v2/tkeywords/{id}/': {
    readonly body: TkeywordChange;
    readonly answer: Operations['PUT /api/v2/tkeywords/{id}/']['answer'];
  };
  /** Delete. */
  readonly 'DELETE /api/v2/tkeywords/{id}/': { readonly answer: undefined };
  /** How large files may be. */
  readonly 'GET /api/v2/upload-size-limits/': {
    readonly answer: {
      readonly links: {
        readonly next: string | null;
        readonly previous: string | null;
      };
      readonly total: number;
      readonly page: number;
      readonly page_size: number;
      readonly 'upload-size-limits': ReadonlyArray<{
        readonly slug: "dataset_upload_size" | "document_upload_size";
        readonly description: string;
        /** In bytes. */
        readonly max_size: number;
        readonly max_size_label: string;
      }>;
    };
  };
  /** Set how large files may be, as clients of GeoNode do; for administrators. */
  readonly 'POST /api/v2/upload-size-limits/': {
    readonly body: {
      readonly slug: "dataset_upload_size" | "document_upload_size";
      /** In bytes. */
      readonly max_size: number;
    };
    readonly answer: {
      readonly 'upload-size-limit': {
        readonly slug: "dataset_upload_size" | "document_upload_size";
        readonly description: string;
        /** In bytes. */
        readonly max_size: number;
        readonly max_size_label: string;
      };
    };
  };
  /** How large files may be. */
  readonly 'GET /api/v2/upload-size-limits/{slug}/': { readonly answer: Operations['POST /api/v2/upload-size-limits/']['answer'] };
  /** Set how large files may be; for administrators. */
  readonly 'PUT /api/v2/upload-size-limits/{slug}/': {
    readonly body: {
      /** In bytes. */
      readonly max_size: number;
    };
    readonly answer: Updated;
  };
  /** Set how large files may be; for administrators. */
  readonly 'PATCH /api/v2/upload-size-limits/{slug}/': {
    readonly body: Operations['PUT /api/v2/upload-size-limits/{slug}/']['body'];
    readonly answer: Updated;
  };
  /** Back to the program's own limit; for administrators. */
  readonly 'DELETE /api/v2/upload-size-limits/{slug}/': { readonly answer: undefined };
  /** List. */
  readonly 'GET /api/v2/uploads/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'include[]' | 'full' | 'exclude[]' | 'sideloading'>;
    readonly answer: UploadList;
  };
  /** Create one or several. */
  readonly 'POST /api/v2/uploads/': {
    readonly body: UploadInput | {
      readonly upload: UploadInput;
    } | {
      readonly uploads: ReadonlyArray<UploadInput>;
    } | ReadonlyArray<UploadInput>;
    readonly answer: {
      readonly upload: Upload;
      readonly meta?: Ignored;
    } | {
      readonly uploads: ReadonlyArray<Upload>;
      readonly meta?: Ignored;
    };
  };
  /** Change several. */
  readonly 'PATCH /api/v2/uploads/': {
    readonly query: Pick<Parameters, 'patch-all' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}`>;
    readonly body: ReadonlyArray<UploadChangeById> | {
      readonly uploads: ReadonlyArray<UploadChangeById>;
    } | UploadChange | {
      readonly upload: UploadChange;
    };
    readonly answer: {
      readonly uploads?: ReadonlyArray<Upload>;
      readonly meta: NonNullable<Updated['meta']>;
    };
  };
  /** Delete several. */
  readonly 'DELETE /api/v2/uploads/': {
    readonly body: ReadonlyArray<{
      readonly id: number;
    }> | {
      readonly uploads: ReadonlyArray<{
        readonly id: number;
      }>;
    };
    readonly answer: undefined;
  };
  /** How far several uploads are, in one stream of server-sent events until all have ended. */
  readonly 'GET /api/v2/uploads/events/': {
    readonly query: {
      readonly ids?: string;
    };
    readonly answer: unknown;
  };
  /** One’s own files that were begun and that no upload has taken yet; they are kept for a week. */
  readonly 'GET /api/v2/uploads/files/': {
    readonly answer: {
      readonly files: ReadonlyArray<{
        readonly id: string;
        readonly name: string;
        readonly size: number;
        readonly mark: string;
        readonly received: number;
        readonly begun: string;
      }>;
    };
  };
  /** Begin to send a file part by part (tus 1.0.0); `Location` is where its bytes go. */
  readonly 'POST /api/v2/uploads/files/': { readonly answer: undefined };
  /** The next bytes of the file, from where it ends: HEAD says where. What comes before a cut is kept. */
  readonly 'PATCH /api/v2/uploads/files/{id}/': { readonly answer: undefined };
  /** Give a file up. */
  readonly 'DELETE /api/v2/uploads/files/{id}/': { readonly answer: undefined };
  /** Look at a table before it is imported: what it would be read as, and what would be lost; nothing is kept. */
  readonly 'POST /api/v2/uploads/preview/': {
    readonly answer: {
      readonly success: boolean;
      readonly preview: {
        readonly format: string;
        readonly charset: string;
        readonly delimiter: string;
        /** Of a workbook with several: the one that is shown. */
        readonly sheet: string | null;
        readonly sheets: ReadonlyArray<string>;
        readonly decimal: "." | ",";
        readonly dates: "ymd" | "dmy" | "mdy";
        /** The row with the names; 0: none has them. */
        readonly header: number;
        readonly rows: number;
        /** The table is longer than what was looked at. */
        readonly isPart: boolean;
        readonly places: "columns" | "geometries" | "none" | "unknown";
        readonly placed: ReadonlyArray<string>;
        readonly misplaced: {
          /** Rows whose coordinates cannot be read: the import would stop there. */
          readonly count: number;
          /** Of the first of them. */
          readonly lines: ReadonlyArray<number>;
        };
        readonly columns: ReadonlyArray<{
          /** In the file. */
          readonly name: string;
          readonly type: "text" | "integer" | "number" | "boolean" | "date" | "time";
          /** Cells with nothing in them. */
          readonly empty: number;
          readonly lost: {
            /** Cells that cannot be read as the type that was chosen. */
            readonly count: number;
            /** Of the first of them. */
            readonly lines: ReadonlyArray<number>;
          };
          /** It looks like dates in one of these orders. */
          readonly dates: ReadonlyArray<"ymd" | "dmy" | "mdy">;
          readonly skip: boolean;
          /** The name that was chosen. */
          readonly as: string | null;
        }>;
        readonly first: ReadonlyArray<ReadonlyArray<string>>;
      };
    };
  };
  /** Send the files of a layer. */
  readonly 'POST /api/v2/uploads/upload/': {
    readonly body: FormData | {
      readonly action?: "create";
      readonly title: string;
      readonly geom: "Point" | "LineString" | "Polygon";
      readonly attributes: Readonly<Record<string, {
        readonly type: "string" | "integer" | "float" | "date";
        readonly nillable?: boolean;
        /** The values that it may have. */
        readonly options?: ReadonlyArray<unknown> | null;
        readonly range?: {
          readonly min?: number | null;
          readonly max?: number | null;
        } | null;
      }>>;
      readonly permissions?: Readonly<Record<string, unknown>>;
    };
    readonly answer: AcceptedUpload;
  };
  /** Send the files of a layer. */
  readonly 'PUT /api/v2/uploads/upload/': {
    readonly body: Operations['POST /api/v2/uploads/upload/']['body'];
    readonly answer: AcceptedUpload;
  };
  /** One record. */
  readonly 'GET /api/v2/uploads/{id}/': {
    readonly query: Pick<Parameters, 'include[]' | 'full' | 'exclude[]' | 'sideloading'>;
    readonly answer: {
      readonly upload: Upload;
    };
  };
  /** Send the files of a layer. */
  readonly 'POST /api/v2/uploads/{id}/': { readonly body: FormData; readonly answer: AcceptedUpload };
  /** Replace. */
  readonly 'PUT /api/v2/uploads/{id}/': {
    readonly body: UploadInput;
    readonly answer: {
      readonly upload?: Upload;
      readonly meta: NonNullable<Updated['meta']>;
    };
  };
  /** Change. */
  readonly 'PATCH /api/v2/uploads/{id}/': { readonly body: UploadChange; readonly answer: Operations['PUT /api/v2/uploads/{id}/']['answer'] };
  /** Delete. */
  readonly 'DELETE /api/v2/uploads/{id}/': { readonly answer: undefined };
  /** Answer the question of an import. */
  readonly 'POST /api/v2/uploads/{id}/answer/': {
    readonly body: {
      /** Also as `dataset_title` or `title`. */
      readonly layer_title?: string;
      readonly abstract?: string;
      readonly permissions?: unknown;
      readonly time?: "true" | "false";
      readonly charset?: string;
      readonly crs?: string;
      /** Column with the first coordinate, also as `lng`. */
      readonly x?: string;
      /** Column with the second coordinate, also as `lat`. */
      readonly y?: string;
      /** Column with geometries. */
      readonly wkt?: string;
      /** A table (CSV, Excel) whose rows have no places. */
      readonly places?: "none";
      /** Sheet of a workbook; without it, every sheet of a plain table becomes one. */
      readonly sheet?: string;
      /** What becomes of columns with values of a layer whose rows are replaced, and that the file lacks. Without it, the file is refused. */
      readonly missing?: "keep" | "empty" | "ask";
      /** With `missing=keep`: the column by which rows are found again. */
      readonly key?: string;
    } | string | FormData | undefined;
    readonly answer: AcceptedUpload;
  };
  /** How far an upload is, told with every change as a server-sent event until it ends. */
  readonly 'GET /api/v2/uploads/{id}/events/': { readonly answer: unknown };
  /** Send the files of a layer. */
  readonly 'POST /api/v2/uploads/{id}/files/': { readonly body: FormData; readonly answer: AcceptedUpload };
  /** Send the files of a layer. */
  readonly 'PUT /api/v2/uploads/{id}/files/': { readonly body: FormData; readonly answer: AcceptedUpload };
  /** One record. */
  readonly 'GET /api/v2/uploads/{id}/files/{file}/': { readonly answer: unknown };
  /** Try a failed import again. */
  readonly 'POST /api/v2/uploads/{id}/retry/': { readonly answer: AcceptedUpload };
  /** What is related to it. */
  readonly 'GET /api/v2/uploads/{id}/uploadfile_set/': {
    readonly answer: {
      readonly upload_files: ReadonlyArray<UploadFile>;
    };
  };
  /** List. */
  readonly 'GET /api/v2/users/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'include[]' | 'exclude[]' | 'sideloading'>;
    readonly answer: UserList;
  };
  /** Create one or several. */
  readonly 'POST /api/v2/users/': {
    readonly body: UserInput | {
      readonly user: UserInput;
    } | {
      readonly users: ReadonlyArray<UserInput>;
    } | ReadonlyArray<UserInput>;
    readonly answer: {
      readonly user: User;
      readonly meta?: Ignored;
    } | {
      readonly users: ReadonlyArray<User>;
      readonly meta?: Ignored;
    };
  };
  /** Change several. */
  readonly 'PATCH /api/v2/users/': {
    readonly query: Pick<Parameters, 'patch-all' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}`>;
    readonly body: ReadonlyArray<UserChangeById> | {
      readonly users: ReadonlyArray<UserChangeById>;
    } | UserChange | {
      readonly user: UserChange;
    };
    readonly answer: {
      readonly users?: ReadonlyArray<User>;
      readonly meta: NonNullable<Updated['meta']>;
    };
  };
  /** Delete several. */
  readonly 'DELETE /api/v2/users/': {
    readonly body: ReadonlyArray<{
      readonly id: number;
    }> | {
      readonly users: ReadonlyArray<{
        readonly id: number;
      }>;
    };
    readonly answer: undefined;
  };
  /** One record. */
  readonly 'GET /api/v2/users/{id}/': {
    readonly query: Pick<Parameters, 'include[]' | 'exclude[]' | 'sideloading'>;
    readonly answer: {
      readonly user: User;
    };
  };
  /** Replace. */
  readonly 'PUT /api/v2/users/{id}/': {
    readonly body: UserInput;
    readonly answer: {
      readonly user?: User;
      readonly meta: NonNullable<Updated['meta']>;
    };
  };
  /** Change. */
  readonly 'PATCH /api/v2/users/{id}/': { readonly body: UserChange; readonly answer: Operations['PUT /api/v2/users/{id}/']['answer'] };
  /** Delete. */
  readonly 'DELETE /api/v2/users/{id}/': { readonly answer: undefined };
  /** Whether the own account follows a person or a group. */
  readonly 'GET /api/v2/users/{id}/follow/': { readonly answer: Following };
  /** Be told of new items of a person or a group. */
  readonly 'POST /api/v2/users/{id}/follow/': { readonly answer: Following };
  /** Stop following a person or a group. */
  readonly 'DELETE /api/v2/users/{id}/follow/': { readonly answer: Following };
  /** What is related to it. */
  readonly 'GET /api/v2/users/{id}/groups/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'include[]' | 'exclude[]'>;
    readonly answer: ReadonlyArray<GroupProfile>;
  };
  /** Hand everything that the account owns to another one; for administrators. */
  readonly 'POST /api/v2/users/{id}/hand_over/': {
    readonly body: {
      readonly username: string;
    };
    readonly answer: Updated;
  };
  /** Set the password: one’s own with the old one, anybody’s as an administrator. */
  readonly 'PUT /api/v2/users/{id}/password/': {
    readonly body: {
      readonly password: string;
      /** For one’s own. */
      readonly old_password?: string;
    };
    readonly answer: Updated;
  };
  /** Set how much space an account may use (0: no limit, null: as the settings say); for administrators. */
  readonly 'PUT /api/v2/users/{id}/quota/': {
    readonly body: {
      readonly bytes: number | null;
    };
    readonly answer: Updated;
  };
  /** What is related to it. */
  readonly 'GET /api/v2/users/{id}/resources/': {
    readonly query: Pick<Parameters, 'page' | 'page_size' | 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'extent' | 'include[]' | 'exclude[]'>;
    readonly answer: ReadonlyArray<Resource>;
  };
  /** Rules for requests of the map client; there are none. */
  readonly 'GET /api/v2/users/{id}/rules/': {
    readonly answer: {
      readonly rules: ReadonlyArray<Readonly<Record<string, unknown>>>;
    };
  };
  /** Remove the second factor of an account, as an administrator. */
  readonly 'DELETE /api/v2/users/{id}/second-factor/': { readonly answer: undefined };
  /** A service of OGC by parameters or in XML; its capabilities describe it. */
  readonly 'GET /csw': {
    readonly query: {
      /** The service. */
      readonly service?: "CSW";
      /** Its version. */
      readonly version?: "2.0.2";
      /** The operation, such as GetCapabilities, which lists the others and their parameters. */
      readonly request?: string;
    };
    readonly answer: unknown;
  };
  /** A service of OGC by parameters or in XML; its capabilities describe it. */
  readonly 'POST /csw': { readonly body: string | undefined; readonly answer: unknown };
  /** The catalogue, for programs that search catalogues. */
  readonly 'GET /dcat/catalog.jsonld': { readonly query: Pick<Parameters, 'page'>; readonly answer: unknown };
  /** One record. */
  readonly 'GET /documents/{id}/download': { readonly answer: unknown };
  /** One record. */
  readonly 'GET /documents/{id}/view': { readonly answer: unknown };
  /** List. */
  readonly 'GET /mapviewer/rest/resources/': {
    readonly query: Pick<Parameters, 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'include[]' | 'full' | 'exclude[]'>;
    readonly answer: ReadonlyArray<ViewerResource>;
  };
  /** Create one or several. */
  readonly 'POST /mapviewer/rest/resources/': { readonly body: ViewerResourceInput; readonly answer: ViewerResource };
  /** One record. */
  readonly 'GET /mapviewer/rest/resources/{id}/': {
    readonly query: Pick<Parameters, 'include[]' | 'full' | 'exclude[]'>;
    readonly answer: ViewerResource;
  };
  /** Replace. */
  readonly 'PUT /mapviewer/rest/resources/{id}/': { readonly body: ViewerResourceInput; readonly answer: ViewerResource };
  /** Change. */
  readonly 'PATCH /mapviewer/rest/resources/{id}/': { readonly body: ViewerResourceChange; readonly answer: ViewerResource };
  /** Delete. */
  readonly 'DELETE /mapviewer/rest/resources/{id}/': { readonly answer: undefined };
  /** List. */
  readonly 'GET /mapviewer/rest/users/': {
    readonly query: Pick<Parameters, 'ordering' | 'sort[]' | 'search' | 'search_fields' | `${'' | '-'}filter{${string}}` | 'exclude[]'>;
    readonly answer: ReadonlyArray<ViewerUser>;
  };
  /** Create one or several. */
  readonly 'POST /mapviewer/rest/users/': { readonly body: ViewerUserInput; readonly answer: ViewerUser };
  /** One record. */
  readonly 'GET /mapviewer/rest/users/{id}/': { readonly query: Pick<Parameters, 'exclude[]'>; readonly answer: ViewerUser };
  /** Replace. */
  readonly 'PUT /mapviewer/rest/users/{id}/': { readonly body: ViewerUserInput; readonly answer: ViewerUser };
  /** Change. */
  readonly 'PATCH /mapviewer/rest/users/{id}/': { readonly body: ViewerUserChange; readonly answer: ViewerUser };
  /** Delete. */
  readonly 'DELETE /mapviewer/rest/users/{id}/': { readonly answer: undefined };
  /** What is known about it, for other catalogues. */
  readonly 'GET /metadata/{id}.atom.xml': { readonly answer: unknown };
  /** What is known about it, for other catalogues. */
  readonly 'GET /metadata/{id}.dc.xml': { readonly answer: unknown };
  /** What is known about it, for other catalogues. */
  readonly 'GET /metadata/{id}.dcat.jsonld': { readonly answer: unknown };
  /** What is known about it, for other catalogues. */
  readonly 'GET /metadata/{id}.fgdc.xml': { readonly answer: unknown };
  /** What is known about it, for other catalogues. */
  readonly 'GET /metadata/{id}.iso19139.xml': { readonly answer: unknown };
  /** Claims about who is signed in. */
  readonly 'GET /o/userinfo/': {
    readonly answer: {
      readonly sub: string;
      readonly name?: string;
      readonly given_name?: string;
      readonly family_name?: string;
      readonly email?: string;
      readonly email_verified?: boolean;
      readonly preferred_username: string;
      readonly groups?: ReadonlyArray<string>;
    };
  };
  /** One’s own jobs, the newest first. */
  readonly 'GET /ogc/jobs': {
    readonly query: Pick<Parameters, 'limit' | 'offset'>;
    readonly answer: {
      readonly jobs: ReadonlyArray<{
        readonly jobID: string;
        readonly processID: string;
        readonly type: "process";
        readonly status: "accepted" | "running" | "successful" | "failed" | "dismissed";
        /** Why it failed. */
        readonly message?: string;
        /** Of the layer. */
        readonly title: string;
        readonly created: string;
        readonly finished?: string;
        readonly progress: number;
        /** Its number among the uploads, whose events tell of every step. */
        readonly upload: number;
        readonly links: ReadonlyArray<Readonly<Record<string, unknown>>>;
      }>;
      readonly links: ReadonlyArray<Readonly<Record<string, unknown>>>;
    };
  };
  /** How far a job is. */
  readonly 'GET /ogc/jobs/{job}': {
    readonly answer: {
      readonly jobID: string;
      readonly processID: string;
      readonly type: "process";
      readonly status: "accepted" | "running" | "successful" | "failed" | "dismissed";
      /** Why it failed. */
      readonly message?: string;
      /** Of the layer. */
      readonly title: string;
      readonly created: string;
      readonly finished?: string;
      readonly progress: number;
      /** Its number among the uploads, whose events tell of every step. */
      readonly upload: number;
      readonly links: ReadonlyArray<Readonly<Record<string, unknown>>>;
    };
  };
  /** Cancel a job, or forget one that has ended; its layer stays. */
  readonly 'DELETE /ogc/jobs/{job}': { readonly answer: Operations['GET /ogc/jobs/{job}']['answer'] };
  /** What came of a job: its layer. */
  readonly 'GET /ogc/jobs/{job}/results': {
    readonly answer: {
      readonly layer: {
        readonly id: number;
        readonly href: string;
        readonly type: string;
        readonly rel: string;
        readonly title: string;
      };
    };
  };
  /** The processes that make layers of layers. */
  readonly 'GET /ogc/processes': {
    readonly answer: {
      readonly processes: ReadonlyArray<{
        readonly id: string;
        readonly title: string;
        readonly description: string;
        readonly version: string;
        readonly jobControlOptions: ReadonlyArray<string>;
        readonly outputTransmission: ReadonlyArray<string>;
        readonly 'x-survest': {
          /** It makes something of layers. */
          readonly layer: boolean;
          /** It reads a raster. */
          readonly raster: boolean;
          /** It takes tables without places, too. */
          readonly table: boolean;
        };
        readonly links: ReadonlyArray<Readonly<Record<string, unknown>>>;
      }>;
      readonly links: ReadonlyArray<Readonly<Record<string, unknown>>>;
    };
  };
  /** A process with its inputs as JSON schemas. */
  readonly 'GET /ogc/processes/{process}': {
    readonly answer: {
      readonly id: string;
      readonly title: string;
      readonly description: string;
      readonly version: string;
      readonly jobControlOptions: ReadonlyArray<string>;
      readonly outputTransmission: ReadonlyArray<string>;
      readonly 'x-survest': {
        /** It makes something of layers. */
        readonly layer: boolean;
        /** It reads a raster. */
        readonly raster: boolean;
        /** It takes tables without places, too. */
        readonly table: boolean;
      };
      readonly links: ReadonlyArray<Readonly<Record<string, unknown>>>;
      readonly inputs: Readonly<Record<string, {
        readonly title: string;
        readonly description: string;
        readonly minOccurs: number;
        readonly maxOccurs: number;
        /** A JSON schema. */
        readonly schema: Readonly<Record<string, unknown>>;
        /** What a form has to know besides. */
        readonly 'x-survest': Readonly<Record<string, unknown>>;
      }>>;
      readonly outputs: Readonly<Record<string, unknown>>;
    };
  };
  /** Run a process as a job; its result is a layer that only its author sees. */
  readonly 'POST /ogc/processes/{process}/execution': {
    readonly body: {
      /** A value for each input of the description. */
      readonly inputs: Readonly<Record<string, unknown>>;
      /** Of the layer. */
      readonly title?: string;
      readonly outputs?: Readonly<Record<string, unknown>>;
      readonly response?: "document";
    };
    readonly answer: Operations['GET /ogc/jobs/{job}']['answer'];
  };
  /** What would become of a sample of the rows, as GeoJSON; nothing is kept. */
  readonly 'POST /ogc/processes/{process}/preview': {
    readonly body: Operations['POST /ogc/processes/{process}/execution']['body'];
    readonly answer: Readonly<Record<string, unknown>>;
  };
  /** The catalogue, for programs that search catalogues. */
  readonly 'GET /records': {
    readonly answer: {
      readonly title: string;
      readonly description: string;
      readonly links: ReadonlyArray<{
        readonly href: string;
        readonly rel: string;
        readonly type?: string;
        readonly title?: string;
        readonly method?: string;
        readonly body?: Readonly<Record<string, unknown>>;
        readonly merge?: boolean;
      }>;
    };
  };
  /** The catalogue, for programs that search catalogues. */
  readonly 'GET /records/collections': {
    readonly answer: {
      readonly collections: ReadonlyArray<{
        readonly id: string;
        readonly type?: string;
        readonly title?: string;
        readonly description?: string;
        readonly links: ReadonlyArray<{
          readonly href: string;
          readonly rel: string;
          readonly type?: string;
          readonly title?: string;
          readonly method?: string;
          readonly body?: Readonly<Record<string, unknown>>;
          readonly merge?: boolean;
        }>;
      }>;
      readonly links: ReadonlyArray<{
        readonly href: string;
        readonly rel: string;
        readonly type?: string;
        readonly title?: string;
        readonly method?: string;
        readonly body?: Readonly<Record<string, unknown>>;
        readonly merge?: boolean;
      }>;
    };
  };
  /** The catalogue, for programs that search catalogues. */
  readonly 'GET /records/collections/{catalogue}': {
    readonly answer: {
      readonly id: string;
      readonly type?: string;
      readonly title?: string;
      readonly description?: string;
      readonly links: ReadonlyArray<{
        readonly href: string;
        readonly rel: string;
        readonly type?: string;
        readonly title?: string;
        readonly method?: string;
        readonly body?: Readonly<Record<string, unknown>>;
        readonly merge?: boolean;
      }>;
    };
  };
  /** The catalogue, for programs that search catalogues. */
  readonly 'GET /records/collections/{catalogue}/items': {
    readonly query: Pick<Parameters, 'bbox' | 'datetime' | 'ids'> & {
      /** Anything: the answer is GeoJSON. */
      readonly f?: string;
      /** Words that all have to be in title, abstract or keywords. */
      readonly q?: string;
      /** Kinds of items: `dataset`, `map`, `document`, `geoapp`, `geostory`. */
      readonly type?: ReadonlyArray<string>;
      /** Records at once. */
      readonly limit?: number;
      /** Records to leave out; as in the links to further pages. */
      readonly offset?: number;
    };
    readonly answer: unknown;
  };
  /** The catalogue, for programs that search catalogues. */
  readonly 'GET /records/collections/{catalogue}/items/{id}': { readonly answer: unknown };
  /** The catalogue, for programs that search catalogues. */
  readonly 'GET /records/collections/{catalogue}/queryables': { readonly answer: unknown };
  /** The catalogue, for programs that search catalogues. */
  readonly 'GET /records/conformance': {
    readonly answer: {
      readonly conformsTo: ReadonlyArray<string>;
    };
  };
  /** The catalogue, for programs that search catalogues. */
  readonly 'GET /sitemap.xml': { readonly answer: unknown };
  /** The catalogue, for programs that search catalogues. */
  readonly 'GET /stac': { readonly answer: Operations['GET /records']['answer'] };
  /** The catalogue, for programs that search catalogues. */
  readonly 'GET /stac/collections': { readonly answer: Operations['GET /records/collections']['answer'] };
  /** The catalogue, for programs that search catalogues. */
  readonly 'GET /stac/collections/{collection}': { readonly answer: Operations['GET /records/collections/{catalogue}']['answer'] };
  /** The catalogue, for programs that search catalogues. */
  readonly 'GET /stac/collections/{collection}/items': {
    readonly query: Pick<Parameters, 'bbox' | 'datetime' | 'ids'> & {
      /** A geometry in GeoJSON, instead of a box. */
      readonly intersects?: string;
      /** There is one: `rasters`. */
      readonly collections?: ReadonlyArray<string>;
      /** Records at once. */
      readonly limit?: number;
      /** Records to leave out; as in the links to further pages. */
      readonly offset?: number;
    };
    readonly answer: unknown;
  };
  /** The catalogue, for programs that search catalogues. */
  readonly 'GET /stac/collections/{collection}/items/{id}': { readonly answer: unknown };
  /** The catalogue, for programs that search catalogues. */
  readonly 'GET /stac/conformance': {
    readonly answer: {
      readonly conformsTo: ReadonlyArray<string>;
    };
  };
  /** The catalogue, for programs that search catalogues. */
  readonly 'GET /stac/search': {
    readonly query: Operations['GET /stac/collections/{collection}/items']['query'];
    readonly answer: unknown;
  };
  /** The catalogue, for programs that search catalogues. */
  readonly 'POST /stac/search': {
    readonly body: {
      readonly bbox?: ReadonlyArray<number>;
      readonly intersects?: Readonly<Record<string, unknown>>;
      readonly datetime?: string;
      readonly ids?: ReadonlyArray<string>;
      readonly collections?: ReadonlyArray<string>;
      readonly limit?: number;
    } | undefined;
    readonly answer: unknown;
  };
  /** What became of an import; what is sent along is applied while it can be. */
  readonly 'GET /upload/final': { readonly query: Pick<Parameters, 'id'>; readonly answer: UploadResult };
  /** What became of an import; what is sent along is applied while it can be. */
  readonly 'POST /upload/final': {
    readonly query: Pick<Parameters, 'id'>;
    readonly body: Operations['POST /api/v2/uploads/{id}/answer/']['body'];
    readonly answer: UploadResult;
  };
  /** What became of an import; what is sent along is applied while it can be. */
  readonly 'PUT /upload/final': {
    readonly query: Pick<Parameters, 'id'>;
    readonly body: Operations['POST /api/v2/uploads/{id}/answer/']['body'];
    readonly answer: UploadResult;
  };
  /** How far an import is. */
  readonly 'GET /upload/progress': {
    readonly query: Pick<Parameters, 'id'>;
    readonly answer: {
      readonly id?: number;
      readonly import_id?: number;
      readonly state: string;
      readonly progress?: number;
      readonly phase?: string | null;
      readonly bytes_read?: number;
      readonly bytes_total?: number;
      readonly features?: number;
      readonly question?: Readonly<Record<string, unknown>> | null;
      readonly error_msg?: string | null;
      readonly reason?: Readonly<Record<string, unknown>> | null;
      readonly can_retry?: boolean;
      readonly layer?: number | null;
      /** What was read or is drawn in another way than the files have it, such as a symbol of a style. */
      readonly warnings?: ReadonlyArray<string>;
      /** Rows of a layer that was replaced or added to. */
      readonly rows?: {
        readonly before: number;
        readonly after: number;
      } | null;
    };
  };
  /** A service of OGC by parameters or in XML; its capabilities describe it. */
  readonly 'GET /wcs': {
    readonly query: {
      /** The service. */
      readonly service?: "WCS";
      /** Its version. */
      readonly version?: "2.0.1" | "1.1.2" | "1.1.1" | "1.1.0" | "1.0.0";
      /** The operation, such as GetCapabilities, which lists the others and their parameters. */
      readonly request?: string;
    };
    readonly answer: unknown;
  };
  /** A service of OGC by parameters or in XML; its capabilities describe it. */
  readonly 'POST /wcs': { readonly body: string | undefined; readonly answer: unknown };
};
