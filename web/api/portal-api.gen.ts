// The portal's records and answers as types. Generated from its OpenAPI document by `npm run api-types`; not to be edited.

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

export type Document = {
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
  /** Who owns it. Administrators may choose another account, by id, name or object. */
  readonly owner: EmbeddedUser | null;
  /** Point of contact. */
  readonly poc: EmbeddedUser | null;
  /** Who describes it. */
  readonly metadata_author: EmbeddedUser | null;
  /** Title. */
  readonly title: string;
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
  /** Address of this record. */
  readonly link: string;
  /** Addresses of its data, pictures and services. */
  readonly links: ReadonlyArray<Link>;
  /** One of the caller’s favourites. */
  readonly favorite?: boolean;
  /** When the data of a layer were renewed last, whatever else of it has changed. Only with `include[]=data_updated`. */
  readonly data_updated?: string | null;
  /** Whether the data are as new as `maintenance_frequency` says; `due` until half as long again has passed. Only with `include[]=freshness`. */
  readonly freshness?: "fresh" | "due" | "overdue" | null;
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

export type Geoapp = {
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
  /** Who owns it. Administrators may choose another account, by id, name or object. */
  readonly owner: EmbeddedUser | null;
  /** Point of contact. */
  readonly poc: EmbeddedUser | null;
  /** Who describes it. */
  readonly metadata_author: EmbeddedUser | null;
  /** Title. */
  readonly title: string;
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
  /** Address of this record. */
  readonly link: string;
  /** Addresses of its data, pictures and services. */
  readonly links: ReadonlyArray<Link>;
  /** One of the caller’s favourites. */
  readonly favorite?: boolean;
  /** When the data of a layer were renewed last, whatever else of it has changed. Only with `include[]=data_updated`. */
  readonly data_updated?: string | null;
  /** Whether the data are as new as `maintenance_frequency` says; `due` until half as long again has passed. Only with `include[]=freshness`. */
  readonly freshness?: "fresh" | "due" | "overdue" | null;
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

export type Geostory = {
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
  /** Who owns it. Administrators may choose another account, by id, name or object. */
  readonly owner: EmbeddedUser | null;
  /** Point of contact. */
  readonly poc: EmbeddedUser | null;
  /** Who describes it. */
  readonly metadata_author: EmbeddedUser | null;
  /** Title. */
  readonly title: string;
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
  /** Address of this record. */
  readonly link: string;
  /** Addresses of its data, pictures and services. */
  readonly links: ReadonlyArray<Link>;
  /** One of the caller’s favourites. */
  readonly favorite?: boolean;
  /** When the data of a layer were renewed last, whatever else of it has changed. Only with `include[]=data_updated`. */
  readonly data_updated?: string | null;
  /** Whether the data are as new as `maintenance_frequency` says; `due` until half as long again has passed. Only with `include[]=freshness`. */
  readonly freshness?: "fresh" | "due" | "overdue" | null;
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

export type Layer = {
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
  /** Who owns it. Administrators may choose another account, by id, name or object. */
  readonly owner: EmbeddedUser | null;
  /** Point of contact. */
  readonly poc: EmbeddedUser | null;
  /** Who describes it. */
  readonly metadata_author: EmbeddedUser | null;
  /** Title. */
  readonly title: string;
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
  /** Address of this record. */
  readonly link: string;
  /** Addresses of its data, pictures and services. */
  readonly links: ReadonlyArray<Link>;
  /** One of the caller’s favourites. */
  readonly favorite?: boolean;
  /** When the data of a layer were renewed last, whatever else of it has changed. Only with `include[]=data_updated`. */
  readonly data_updated?: string | null;
  /** Whether the data are as new as `maintenance_frequency` says; `due` until half as long again has passed. Only with `include[]=freshness`. */
  readonly freshness?: "fresh" | "due" | "overdue" | null;
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

export type Map = {
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
  /** Who owns it. Administrators may choose another account, by id, name or object. */
  readonly owner: EmbeddedUser | null;
  /** Point of contact. */
  readonly poc: EmbeddedUser | null;
  /** Who describes it. */
  readonly metadata_author: EmbeddedUser | null;
  /** Title. */
  readonly title: string;
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
  /** Address of this record. */
  readonly link: string;
  /** Addresses of its data, pictures and services. */
  readonly links: ReadonlyArray<Link>;
  /** One of the caller’s favourites. */
  readonly favorite?: boolean;
  /** When the data of a layer were renewed last, whatever else of it has changed. Only with `include[]=data_updated`. */
  readonly data_updated?: string | null;
  /** Whether the data are as new as `maintenance_frequency` says; `due` until half as long again has passed. Only with `include[]=freshness`. */
  readonly freshness?: "fresh" | "due" | "overdue" | null;
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
  readonly kind: "comment" | "mention" | "data" | "content" | "metadata" | "deleted" | "new";
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

export type Resource = {
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
  /** Title. */
  readonly title: string;
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
  /** Address of this record. */
  readonly link: string;
  /** Addresses of its data, pictures and services. */
  readonly links: ReadonlyArray<Link>;
  /** One of the caller’s favourites. */
  readonly favorite?: boolean;
  /** When the data of a layer were renewed last, whatever else of it has changed. Only with `include[]=data_updated`. */
  readonly data_updated?: string | null;
  /** Whether the data are as new as `maintenance_frequency` says; `due` until half as long again has passed. Only with `include[]=freshness`. */
  readonly freshness?: "fresh" | "due" | "overdue" | null;
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

/** What a request is answered that went well, by method and address; `{}` stands for an id or a name. */
export type Answers = {
  readonly 'POST /account/delete/': undefined;
  readonly 'POST /account/email/': Readonly<Record<string, unknown>>;
  readonly 'POST /account/invite/': Readonly<Record<string, unknown>>;
  readonly 'POST /account/link/': {
    readonly purpose: "password" | "registration" | "email";
    readonly username: string | null;
    readonly email: string;
  };
  readonly 'POST /account/link/use/': {
    readonly username: string;
    /** Of a link for another mail address. */
    readonly email?: string;
    /** Of a new account: false where an administrator has to switch it on. */
    readonly is_active?: boolean;
  };
  readonly 'POST /account/login/passkey/': {
    readonly user: Readonly<Record<string, unknown>>;
  };
  readonly 'POST /account/login/passkey/options/': Readonly<Record<string, unknown>>;
  readonly 'POST /account/login/second/': {
    readonly user: Readonly<Record<string, unknown>>;
  };
  readonly 'GET /account/oidc/link/': {
    readonly is_linked: boolean;
    readonly since: string | null;
  };
  readonly 'POST /account/oidc/link/': {
    /** Where the browser is to go. */
    readonly url: string;
  };
  readonly 'DELETE /account/oidc/link/': undefined;
  readonly 'POST /account/passkeys/': {
    readonly id: number;
    /** With the first factor of an account. */
    readonly recovery_codes: ReadonlyArray<string>;
  };
  readonly 'POST /account/passkeys/options/': Readonly<Record<string, unknown>>;
  readonly 'DELETE /account/passkeys/{}/': undefined;
  readonly 'POST /account/password/forgotten/': Readonly<Record<string, unknown>>;
  readonly 'POST /account/register/': Readonly<Record<string, unknown>>;
  readonly 'GET /account/second-factor/': {
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
  readonly 'POST /account/second-factor/recovery-codes/': {
    readonly recovery_codes: ReadonlyArray<string>;
  };
  readonly 'POST /account/second-factor/totp/': {
    /** In base 32, for apps without a camera. */
    readonly secret: string;
    /** What a QR code for apps says (otpauth). */
    readonly address: string;
  };
  readonly 'PUT /account/second-factor/totp/': {
    readonly recovery_codes: ReadonlyArray<string>;
  };
  readonly 'DELETE /account/second-factor/totp/': undefined;
  readonly 'GET /api/base/': {
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
  readonly 'GET /api/base/{}/': Readonly<Record<string, unknown>>;
  readonly 'GET /api/categories/': {
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
  readonly 'GET /api/categories/{}/': Readonly<Record<string, unknown>>;
  readonly 'GET /api/documents/': {
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
  readonly 'GET /api/documents/{}/': Readonly<Record<string, unknown>>;
  readonly 'GET /api/groups/': {
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
  readonly 'GET /api/groups/{}/': Readonly<Record<string, unknown>>;
  readonly 'GET /api/keywords/': {
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
  readonly 'GET /api/keywords/{}/': Readonly<Record<string, unknown>>;
  readonly 'GET /api/layers/': {
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
  readonly 'GET /api/layers/{}/': Readonly<Record<string, unknown>>;
  readonly 'GET /api/maps/': {
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
  readonly 'GET /api/maps/{}/': Readonly<Record<string, unknown>>;
  readonly 'GET /api/owners/': {
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
  readonly 'GET /api/owners/{}/': Readonly<Record<string, unknown>>;
  readonly 'GET /api/profiles/': {
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
  readonly 'GET /api/profiles/{}/': Readonly<Record<string, unknown>>;
  readonly 'GET /api/regions/': {
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
  readonly 'GET /api/regions/{}/': Readonly<Record<string, unknown>>;
  readonly 'GET /api/v2/': {
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
  readonly 'GET /api/v2/access-tokens/': {
    readonly access_tokens: ReadonlyArray<{
      readonly id: number;
      readonly name: string;
      readonly scope: "read" | "write";
      readonly created: string;
      readonly expires: string;
    }>;
  };
  readonly 'POST /api/v2/access-tokens/': {
    readonly id: number;
    readonly name: string;
    readonly scope: "read" | "write";
    readonly created: string;
    readonly expires: string;
    readonly token: string;
  };
  readonly 'DELETE /api/v2/access-tokens/{}/': undefined;
  readonly 'POST /api/v2/audience/': Audience;
  readonly 'GET /api/v2/audit/': {
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
  readonly 'GET /api/v2/basemaps/': {
    /** An id; null: the packaged map of the world. */
    readonly default: string | null;
    readonly basemaps: ReadonlyArray<{
      readonly id: string;
      readonly title: string;
      /** Plain text; empty where nothing has to be said. */
      readonly attribution: string;
      readonly attribution_url: string | null;
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
      readonly kind: "raster";
      /** Addresses with {z}, {x} and {y}, or {bbox-epsg-3857}. */
      readonly tiles: ReadonlyArray<string>;
      readonly tile_size: number;
      readonly minzoom: number;
      readonly maxzoom: number;
      readonly bounds: ReadonlyArray<number> | null;
    }>;
  };
  readonly 'GET /api/v2/bin/': {
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
  readonly 'DELETE /api/v2/bin/{}/': undefined;
  readonly 'POST /api/v2/bin/{}/restore/': Updated;
  readonly 'GET /api/v2/categories/': CategoryList;
  readonly 'GET /api/v2/categories/{}/': {
    readonly category: Category;
  };
  readonly 'GET /api/v2/crs/': {
    readonly crs: ReadonlyArray<{
      readonly code: string;
      readonly name: string;
    }>;
  };
  readonly 'GET /api/v2/database_tables/': {
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
  readonly 'POST /api/v2/database_tables/': {
    readonly layer: Layer;
  };
  readonly 'GET /api/v2/datasets/': DatasetList;
  readonly 'POST /api/v2/datasets/': {
    readonly dataset: Layer;
    readonly meta?: Ignored;
  } | {
    readonly datasets: ReadonlyArray<Layer>;
    readonly meta?: Ignored;
  };
  readonly 'PATCH /api/v2/datasets/': {
    readonly datasets?: ReadonlyArray<Layer>;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'DELETE /api/v2/datasets/': undefined;
  readonly 'POST /api/v2/datasets/empty/': {
    readonly dataset: Layer;
  };
  readonly 'GET /api/v2/datasets/{}/': {
    readonly dataset: Layer;
  };
  readonly 'PUT /api/v2/datasets/{}/': {
    readonly dataset?: Layer;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'PATCH /api/v2/datasets/{}/': {
    readonly dataset?: Layer;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'DELETE /api/v2/datasets/{}/': undefined;
  readonly 'POST /api/v2/datasets/{}/append/': AcceptedUpload;
  readonly 'PUT /api/v2/datasets/{}/append/': AcceptedUpload;
  readonly 'GET /api/v2/datasets/{}/attribute_set/': {
    readonly attributes: ReadonlyArray<Attribute>;
  };
  readonly 'GET /api/v2/datasets/{}/columns/': {
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
  readonly 'POST /api/v2/datasets/{}/columns/': {
    /** In the table. */
    readonly name: string;
  };
  readonly 'POST /api/v2/datasets/{}/columns/dropped/{}/restore/': {
    /** In the table. */
    readonly name: string;
  };
  readonly 'PATCH /api/v2/datasets/{}/columns/{}/': {
    /** In the table. */
    readonly name: string;
  };
  readonly 'DELETE /api/v2/datasets/{}/columns/{}/': {
    /** In the table. */
    readonly name: string;
  };
  readonly 'GET /api/v2/datasets/{}/columns/{}/uses/': {
    readonly styles: ReadonlyArray<string>;
    readonly maps: ReadonlyArray<{
      readonly pk: string;
      readonly title: string;
    }>;
    /** Maps that the caller does not see. */
    readonly hidden_maps: number;
    /** The template that features are shown with. */
    readonly template: boolean;
    readonly views: ReadonlyArray<string>;
    readonly constraints: ReadonlyArray<string>;
  };
  readonly 'GET /api/v2/datasets/{}/history/': {
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
  readonly 'POST /api/v2/datasets/{}/history/{}/undo/': undefined;
  readonly 'GET /api/v2/datasets/{}/joins/': {
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
  readonly 'POST /api/v2/datasets/{}/joins/': {
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
  readonly 'POST /api/v2/datasets/{}/joins/preview/': {
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
  readonly 'DELETE /api/v2/datasets/{}/joins/{}/': undefined;
  readonly 'POST /api/v2/datasets/{}/joins/{}/refresh/': {
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
  readonly 'GET /api/v2/datasets/{}/kept/': {
    readonly kept: ReadonlyArray<{
      readonly id: number;
      /** What the file did to the rows. */
      readonly kind: "replace" | "append";
      /** That come back, or that go. */
      readonly rows: number;
      readonly at: string;
      readonly by: string | null;
    }>;
  };
  readonly 'POST /api/v2/datasets/{}/kept/{}/restore/': {
    readonly rows: {
      readonly before: number;
      readonly after: number;
    };
  };
  readonly 'GET /api/v2/datasets/{}/keywords/': {
    readonly keywords: ReadonlyArray<EmbeddedKeyword>;
  };
  readonly 'GET /api/v2/datasets/{}/lineage/': {
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
  readonly 'POST /api/v2/datasets/{}/lineage/refresh/': {
    readonly jobID: string;
    readonly upload: number;
  };
  readonly 'GET /api/v2/datasets/{}/links/': {
    readonly links: ReadonlyArray<Link>;
  };
  readonly 'GET /api/v2/datasets/{}/provenance/': {
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
  readonly 'PUT /api/v2/datasets/{}/recalc-bbox/': {
    readonly success: boolean;
  };
  readonly 'GET /api/v2/datasets/{}/regions/': {
    readonly regions: ReadonlyArray<EmbeddedRegion>;
  };
  readonly 'POST /api/v2/datasets/{}/replace/': AcceptedUpload;
  readonly 'PUT /api/v2/datasets/{}/replace/': AcceptedUpload;
  readonly 'GET /api/v2/datasets/{}/styles/': {
    readonly styles: ReadonlyArray<Style>;
  };
  readonly 'GET /api/v2/datasets/{}/timeseries/': {
    readonly has_time: boolean;
    readonly attribute: number | null;
    readonly end_attribute: number | null;
    readonly presentation: "LIST";
    readonly precision_value: number | null;
    readonly precision_step: string | null;
  };
  readonly 'PUT /api/v2/datasets/{}/timeseries/': {
    readonly message: string;
  };
  readonly 'GET /api/v2/datasets/{}/tkeywords/': {
    readonly tkeywords: ReadonlyArray<EmbeddedTkeyword>;
  };
  readonly 'GET /api/v2/documents/': DocumentList;
  readonly 'POST /api/v2/documents/': {
    readonly document: Document;
    readonly meta?: Ignored;
  } | {
    readonly documents: ReadonlyArray<Document>;
    readonly meta?: Ignored;
  };
  readonly 'PATCH /api/v2/documents/': {
    readonly documents?: ReadonlyArray<Document>;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'DELETE /api/v2/documents/': undefined;
  readonly 'GET /api/v2/documents/{}/': {
    readonly document: Document;
  };
  readonly 'PUT /api/v2/documents/{}/': {
    readonly document?: Document;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'PATCH /api/v2/documents/{}/': {
    readonly document?: Document;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'DELETE /api/v2/documents/{}/': undefined;
  readonly 'GET /api/v2/documents/{}/keywords/': {
    readonly keywords: ReadonlyArray<EmbeddedKeyword>;
  };
  readonly 'GET /api/v2/documents/{}/linked_resources/': ResourceList;
  readonly 'POST /api/v2/documents/{}/linked_resources/': ChangedLinks;
  readonly 'DELETE /api/v2/documents/{}/linked_resources/': ChangedLinks;
  readonly 'GET /api/v2/documents/{}/links/': {
    readonly links: ReadonlyArray<Link>;
  };
  readonly 'GET /api/v2/documents/{}/permissions/': PermissionLevels;
  readonly 'PUT /api/v2/documents/{}/permissions/': PermissionLevels | undefined;
  readonly 'PATCH /api/v2/documents/{}/permissions/': PermissionLevels | undefined;
  readonly 'DELETE /api/v2/documents/{}/permissions/': PermissionLevels | undefined;
  readonly 'GET /api/v2/documents/{}/regions/': {
    readonly regions: ReadonlyArray<EmbeddedRegion>;
  };
  readonly 'PUT /api/v2/documents/{}/set_thumbnail/': {
    readonly success: boolean;
    readonly thumbnail_url: string;
  };
  readonly 'GET /api/v2/documents/{}/tkeywords/': {
    readonly tkeywords: ReadonlyArray<EmbeddedTkeyword>;
  };
  readonly 'GET /api/v2/executionrequest/': {
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
  readonly 'GET /api/v2/executionrequest/{}/': {
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
  readonly 'DELETE /api/v2/executionrequest/{}/': undefined;
  readonly 'GET /api/v2/facets/': {
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
  readonly 'GET /api/v2/facets/{}/': {
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
  readonly 'GET /api/v2/following/': {
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
  readonly 'GET /api/v2/geoapps/': GeoappList;
  readonly 'POST /api/v2/geoapps/': {
    readonly geoapp: Geoapp;
    readonly meta?: Ignored;
  } | {
    readonly geoapps: ReadonlyArray<Geoapp>;
    readonly meta?: Ignored;
  };
  readonly 'PATCH /api/v2/geoapps/': {
    readonly geoapps?: ReadonlyArray<Geoapp>;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'DELETE /api/v2/geoapps/': undefined;
  readonly 'GET /api/v2/geoapps/{}/': {
    readonly geoapp: Geoapp;
  };
  readonly 'PUT /api/v2/geoapps/{}/': {
    readonly geoapp?: Geoapp;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'PATCH /api/v2/geoapps/{}/': {
    readonly geoapp?: Geoapp;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'DELETE /api/v2/geoapps/{}/': undefined;
  readonly 'GET /api/v2/geoapps/{}/data/': {
    readonly GeoAppData: Readonly<Record<string, unknown>> | null;
  };
  readonly 'GET /api/v2/geoapps/{}/keywords/': {
    readonly keywords: ReadonlyArray<EmbeddedKeyword>;
  };
  readonly 'GET /api/v2/geoapps/{}/linked_resources/': LinkedResources;
  readonly 'POST /api/v2/geoapps/{}/linked_resources/': ChangedLinks;
  readonly 'DELETE /api/v2/geoapps/{}/linked_resources/': ChangedLinks;
  readonly 'GET /api/v2/geoapps/{}/links/': {
    readonly links: ReadonlyArray<Link>;
  };
  readonly 'GET /api/v2/geoapps/{}/permissions/': PermissionLevels;
  readonly 'PUT /api/v2/geoapps/{}/permissions/': PermissionLevels | undefined;
  readonly 'PATCH /api/v2/geoapps/{}/permissions/': PermissionLevels | undefined;
  readonly 'DELETE /api/v2/geoapps/{}/permissions/': PermissionLevels | undefined;
  readonly 'GET /api/v2/geoapps/{}/regions/': {
    readonly regions: ReadonlyArray<EmbeddedRegion>;
  };
  readonly 'PUT /api/v2/geoapps/{}/set_thumbnail/': {
    readonly success: boolean;
    readonly thumbnail_url: string;
  };
  readonly 'GET /api/v2/geoapps/{}/tkeywords/': {
    readonly tkeywords: ReadonlyArray<EmbeddedTkeyword>;
  };
  readonly 'GET /api/v2/geostories/': GeostoryList;
  readonly 'POST /api/v2/geostories/': {
    readonly geostory: Geostory;
    readonly meta?: Ignored;
  } | {
    readonly geostories: ReadonlyArray<Geostory>;
    readonly meta?: Ignored;
  };
  readonly 'PATCH /api/v2/geostories/': {
    readonly geostories?: ReadonlyArray<Geostory>;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'DELETE /api/v2/geostories/': undefined;
  readonly 'GET /api/v2/geostories/{}/': {
    readonly geostory: Geostory;
  };
  readonly 'PUT /api/v2/geostories/{}/': {
    readonly geostory?: Geostory;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'PATCH /api/v2/geostories/{}/': {
    readonly geostory?: Geostory;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'DELETE /api/v2/geostories/{}/': undefined;
  readonly 'GET /api/v2/geostories/{}/data/': {
    readonly GeoAppData: Readonly<Record<string, unknown>> | null;
  };
  readonly 'GET /api/v2/geostories/{}/keywords/': {
    readonly keywords: ReadonlyArray<EmbeddedKeyword>;
  };
  readonly 'GET /api/v2/geostories/{}/linked_resources/': LinkedResources;
  readonly 'POST /api/v2/geostories/{}/linked_resources/': ChangedLinks;
  readonly 'DELETE /api/v2/geostories/{}/linked_resources/': ChangedLinks;
  readonly 'GET /api/v2/geostories/{}/links/': {
    readonly links: ReadonlyArray<Link>;
  };
  readonly 'GET /api/v2/geostories/{}/permissions/': PermissionLevels;
  readonly 'PUT /api/v2/geostories/{}/permissions/': PermissionLevels | undefined;
  readonly 'PATCH /api/v2/geostories/{}/permissions/': PermissionLevels | undefined;
  readonly 'DELETE /api/v2/geostories/{}/permissions/': PermissionLevels | undefined;
  readonly 'GET /api/v2/geostories/{}/regions/': {
    readonly regions: ReadonlyArray<EmbeddedRegion>;
  };
  readonly 'PUT /api/v2/geostories/{}/set_thumbnail/': {
    readonly success: boolean;
    readonly thumbnail_url: string;
  };
  readonly 'GET /api/v2/geostories/{}/tkeywords/': {
    readonly tkeywords: ReadonlyArray<EmbeddedTkeyword>;
  };
  readonly 'GET /api/v2/groups/': GroupProfileList;
  readonly 'POST /api/v2/groups/': {
    readonly group_profile: GroupProfile;
    readonly meta?: Ignored;
  } | {
    readonly group_profiles: ReadonlyArray<GroupProfile>;
    readonly meta?: Ignored;
  };
  readonly 'PATCH /api/v2/groups/': {
    readonly group_profiles?: ReadonlyArray<GroupProfile>;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'DELETE /api/v2/groups/': undefined;
  readonly 'GET /api/v2/groups/{}/': {
    readonly group_profile: GroupProfile;
  };
  readonly 'PUT /api/v2/groups/{}/': {
    readonly group_profile?: GroupProfile;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'PATCH /api/v2/groups/{}/': {
    readonly group_profile?: GroupProfile;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'DELETE /api/v2/groups/{}/': undefined;
  readonly 'GET /api/v2/groups/{}/follow/': Following;
  readonly 'POST /api/v2/groups/{}/follow/': Following;
  readonly 'DELETE /api/v2/groups/{}/follow/': Following;
  readonly 'GET /api/v2/groups/{}/managers/': ReadonlyArray<EmbeddedUser>;
  readonly 'GET /api/v2/groups/{}/members/': ReadonlyArray<EmbeddedUser>;
  readonly 'POST /api/v2/groups/{}/members/': {
    readonly pk: number;
    readonly username: string;
    readonly role: "member" | "manager";
  } | {
    readonly username: string;
    readonly role: "member" | "manager";
    readonly state: "invited";
  };
  readonly 'DELETE /api/v2/groups/{}/members/{}/': undefined;
  readonly 'GET /api/v2/groups/{}/resources/': ReadonlyArray<Resource>;
  readonly 'GET /api/v2/invitations/': {
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
  readonly 'GET /api/v2/invitations/{}/': {
    readonly invitations: ReadonlyArray<{
      readonly username: string;
      readonly role: "member" | "manager";
      readonly date: string;
    }>;
  };
  readonly 'PUT /api/v2/invitations/{}/': Updated;
  readonly 'DELETE /api/v2/invitations/{}/{}/': undefined;
  readonly 'GET /api/v2/keywords/': KeywordList;
  readonly 'GET /api/v2/keywords/{}/': {
    readonly keyword: Keyword;
  };
  readonly 'GET /api/v2/layers/': LayerList;
  readonly 'POST /api/v2/layers/': {
    readonly layer: Layer;
    readonly meta?: Ignored;
  } | {
    readonly layers: ReadonlyArray<Layer>;
    readonly meta?: Ignored;
  };
  readonly 'PATCH /api/v2/layers/': {
    readonly layers?: ReadonlyArray<Layer>;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'DELETE /api/v2/layers/': undefined;
  readonly 'GET /api/v2/layers/data_versions/': {
    readonly versions: ReadonlyArray<{
      readonly pk: string;
      /** Another one after every change of rows; null: changes are not noted, so look again from time to time. */
      readonly version: string | null;
    }>;
  };
  readonly 'POST /api/v2/layers/empty/': {
    readonly layer: Layer;
  };
  readonly 'GET /api/v2/layers/{}/': {
    readonly layer: Layer;
  };
  readonly 'PUT /api/v2/layers/{}/': {
    readonly layer?: Layer;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'PATCH /api/v2/layers/{}/': {
    readonly layer?: Layer;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'DELETE /api/v2/layers/{}/': undefined;
  readonly 'POST /api/v2/layers/{}/append/': AcceptedUpload;
  readonly 'PUT /api/v2/layers/{}/append/': AcceptedUpload;
  readonly 'GET /api/v2/layers/{}/attribute_set/': {
    readonly attributes: ReadonlyArray<Attribute>;
  };
  readonly 'GET /api/v2/layers/{}/columns/': {
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
  readonly 'POST /api/v2/layers/{}/columns/': {
    /** In the table. */
    readonly name: string;
  };
  readonly 'POST /api/v2/layers/{}/columns/dropped/{}/restore/': {
    /** In the table. */
    readonly name: string;
  };
  readonly 'PATCH /api/v2/layers/{}/columns/{}/': {
    /** In the table. */
    readonly name: string;
  };
  readonly 'DELETE /api/v2/layers/{}/columns/{}/': {
    /** In the table. */
    readonly name: string;
  };
  readonly 'GET /api/v2/layers/{}/columns/{}/uses/': {
    readonly styles: ReadonlyArray<string>;
    readonly maps: ReadonlyArray<{
      readonly pk: string;
      readonly title: string;
    }>;
    /** Maps that the caller does not see. */
    readonly hidden_maps: number;
    /** The template that features are shown with. */
    readonly template: boolean;
    readonly views: ReadonlyArray<string>;
    readonly constraints: ReadonlyArray<string>;
  };
  readonly 'GET /api/v2/layers/{}/history/': {
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
  readonly 'POST /api/v2/layers/{}/history/{}/undo/': undefined;
  readonly 'GET /api/v2/layers/{}/joins/': {
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
  readonly 'POST /api/v2/layers/{}/joins/': {
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
  readonly 'POST /api/v2/layers/{}/joins/preview/': {
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
  readonly 'DELETE /api/v2/layers/{}/joins/{}/': undefined;
  readonly 'POST /api/v2/layers/{}/joins/{}/refresh/': {
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
  readonly 'GET /api/v2/layers/{}/kept/': {
    readonly kept: ReadonlyArray<{
      readonly id: number;
      /** What the file did to the rows. */
      readonly kind: "replace" | "append";
      /** That come back, or that go. */
      readonly rows: number;
      readonly at: string;
      readonly by: string | null;
    }>;
  };
  readonly 'POST /api/v2/layers/{}/kept/{}/restore/': {
    readonly rows: {
      readonly before: number;
      readonly after: number;
    };
  };
  readonly 'GET /api/v2/layers/{}/keywords/': {
    readonly keywords: ReadonlyArray<EmbeddedKeyword>;
  };
  readonly 'GET /api/v2/layers/{}/lineage/': {
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
  readonly 'POST /api/v2/layers/{}/lineage/refresh/': {
    readonly jobID: string;
    readonly upload: number;
  };
  readonly 'GET /api/v2/layers/{}/linked_resources/': LinkedResources;
  readonly 'POST /api/v2/layers/{}/linked_resources/': ChangedLinks;
  readonly 'DELETE /api/v2/layers/{}/linked_resources/': ChangedLinks;
  readonly 'GET /api/v2/layers/{}/links/': {
    readonly links: ReadonlyArray<Link>;
  };
  readonly 'GET /api/v2/layers/{}/permissions/': PermissionLevels;
  readonly 'PUT /api/v2/layers/{}/permissions/': PermissionLevels | undefined;
  readonly 'PATCH /api/v2/layers/{}/permissions/': PermissionLevels | undefined;
  readonly 'DELETE /api/v2/layers/{}/permissions/': PermissionLevels | undefined;
  readonly 'GET /api/v2/layers/{}/provenance/': {
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
  readonly 'PUT /api/v2/layers/{}/recalc-bbox/': {
    readonly success: boolean;
  };
  readonly 'GET /api/v2/layers/{}/regions/': {
    readonly regions: ReadonlyArray<EmbeddedRegion>;
  };
  readonly 'POST /api/v2/layers/{}/replace/': AcceptedUpload;
  readonly 'PUT /api/v2/layers/{}/replace/': AcceptedUpload;
  readonly 'PUT /api/v2/layers/{}/set_thumbnail/': {
    readonly success: boolean;
    readonly thumbnail_url: string;
  };
  readonly 'GET /api/v2/layers/{}/styles/': {
    readonly styles: ReadonlyArray<Style>;
  };
  readonly 'GET /api/v2/layers/{}/timeseries/': {
    readonly has_time: boolean;
    readonly attribute: number | null;
    readonly end_attribute: number | null;
    readonly presentation: "LIST";
    readonly precision_value: number | null;
    readonly precision_step: string | null;
  };
  readonly 'PUT /api/v2/layers/{}/timeseries/': {
    readonly message: string;
  };
  readonly 'GET /api/v2/layers/{}/tkeywords/': {
    readonly tkeywords: ReadonlyArray<EmbeddedTkeyword>;
  };
  readonly 'GET /api/v2/maps/': MapList;
  readonly 'POST /api/v2/maps/': {
    readonly map: Map;
    readonly meta?: Ignored;
  } | {
    readonly maps: ReadonlyArray<Map>;
    readonly meta?: Ignored;
  };
  readonly 'PATCH /api/v2/maps/': {
    readonly maps?: ReadonlyArray<Map>;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'DELETE /api/v2/maps/': undefined;
  readonly 'GET /api/v2/maps/{}/': {
    readonly map: Map;
  };
  readonly 'PUT /api/v2/maps/{}/': {
    readonly map?: Map;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'PATCH /api/v2/maps/{}/': {
    readonly map?: Map;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'DELETE /api/v2/maps/{}/': undefined;
  readonly 'GET /api/v2/maps/{}/data/': {
    readonly MapData: Readonly<Record<string, unknown>> | null;
  };
  readonly 'GET /api/v2/maps/{}/keywords/': {
    readonly keywords: ReadonlyArray<EmbeddedKeyword>;
  };
  readonly 'GET /api/v2/maps/{}/layers/': ReadonlyArray<MapLayer>;
  readonly 'GET /api/v2/maps/{}/linked_resources/': LinkedResources;
  readonly 'POST /api/v2/maps/{}/linked_resources/': ChangedLinks;
  readonly 'DELETE /api/v2/maps/{}/linked_resources/': ChangedLinks;
  readonly 'GET /api/v2/maps/{}/links/': {
    readonly links: ReadonlyArray<Link>;
  };
  readonly 'GET /api/v2/maps/{}/local_layers/': ReadonlyArray<Layer>;
  readonly 'GET /api/v2/maps/{}/permissions/': PermissionLevels;
  readonly 'PUT /api/v2/maps/{}/permissions/': PermissionLevels | undefined;
  readonly 'PATCH /api/v2/maps/{}/permissions/': PermissionLevels | undefined;
  readonly 'DELETE /api/v2/maps/{}/permissions/': PermissionLevels | undefined;
  readonly 'GET /api/v2/maps/{}/regions/': {
    readonly regions: ReadonlyArray<EmbeddedRegion>;
  };
  readonly 'PUT /api/v2/maps/{}/set_thumbnail/': {
    readonly success: boolean;
    readonly thumbnail_url: string;
  };
  readonly 'GET /api/v2/maps/{}/tkeywords/': {
    readonly tkeywords: ReadonlyArray<EmbeddedTkeyword>;
  };
  readonly 'GET /api/v2/metadata/autocomplete/categories/': {
    readonly results: ReadonlyArray<{
      readonly id: string;
      readonly label: string;
    }>;
  };
  readonly 'GET /api/v2/metadata/autocomplete/keywords/': {
    readonly results: ReadonlyArray<{
      readonly id: string;
      readonly label: string;
    }>;
  };
  readonly 'GET /api/v2/metadata/autocomplete/regions/': {
    readonly results: ReadonlyArray<{
      readonly id: string;
      readonly label: string;
    }>;
  };
  readonly 'GET /api/v2/metadata/instance/{}/': {
    readonly title?: string;
  };
  readonly 'PUT /api/v2/metadata/instance/{}/': {
    readonly message: string;
    readonly extraErrors: Readonly<Record<string, {
      readonly __errors?: ReadonlyArray<string>;
    }>>;
  };
  readonly 'GET /api/v2/metadata/schema/': Readonly<Record<string, unknown>>;
  readonly 'GET /api/v2/mode/': {
    readonly mode: "normal" | "read-only" | "maintenance";
    readonly message: string;
    readonly since: string | null;
  };
  readonly 'PUT /api/v2/mode/': {
    readonly mode: "normal" | "read-only" | "maintenance";
    readonly message: string;
    readonly since: string | null;
  };
  readonly 'GET /api/v2/notifications/': {
    readonly notifications: ReadonlyArray<Notification>;
    /** How many are unread; 100: or more. */
    readonly unread: number;
  };
  readonly 'POST /api/v2/notifications/read/': Updated;
  readonly 'GET /api/v2/notifications/settings/': {
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
    };
  };
  readonly 'PATCH /api/v2/notifications/settings/': Updated;
  readonly 'GET /api/v2/notifications/unread/': {
    readonly unread: number;
  };
  readonly 'PATCH /api/v2/notifications/{}/': Updated;
  readonly 'GET /api/v2/owners/': OwnerList;
  readonly 'GET /api/v2/owners/{}/': {
    readonly owner: Owner;
  };
  readonly 'GET /api/v2/preferences/': {
    readonly preferences: {
      readonly tour?: "done";
      readonly theme?: "auto" | "light" | "dark";
      readonly language?: "en" | "de" | "fr" | "es";
    };
  };
  readonly 'PATCH /api/v2/preferences/': Updated;
  readonly 'GET /api/v2/regions/': RegionList;
  readonly 'GET /api/v2/regions/{}/': {
    readonly region: Region;
  };
  readonly 'GET /api/v2/remote/features/': {
    readonly type: "FeatureCollection";
    readonly features: ReadonlyArray<Readonly<Record<string, unknown>>>;
    readonly truncated: boolean;
  };
  readonly 'GET /api/v2/remote/info/': {
    readonly found: ReadonlyArray<Readonly<Record<string, string>>>;
  };
  readonly 'GET /api/v2/remote/legend/': {
    readonly legend: ReadonlyArray<{
      readonly label: string;
      readonly picture: string;
    }>;
  };
  readonly 'GET /api/v2/remote/service/': {
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
  readonly 'GET /api/v2/remote/services/': {
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
  readonly 'POST /api/v2/remote/services/': {
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
  readonly 'GET /api/v2/remote/services/{}/': {
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
  readonly 'PATCH /api/v2/remote/services/{}/': {
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
  readonly 'DELETE /api/v2/remote/services/{}/': undefined;
  readonly 'POST /api/v2/remote/services/{}/harvest/': {
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
  readonly 'POST /api/v2/remote/services/{}/layers/': {
    readonly layers: ReadonlyArray<{
      readonly name: string;
      readonly layer: string | null;
      readonly document: string | null;
    }>;
  };
  readonly 'GET /api/v2/resource-service/execution-status/{}/': {
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
  readonly 'GET /api/v2/resources/': ResourceList;
  readonly 'POST /api/v2/resources/': {
    readonly resource: Resource;
    readonly meta?: Ignored;
  } | {
    readonly resources: ReadonlyArray<Resource>;
    readonly meta?: Ignored;
  };
  readonly 'PATCH /api/v2/resources/': {
    readonly resources?: ReadonlyArray<Resource>;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'DELETE /api/v2/resources/': undefined;
  readonly 'GET /api/v2/resources/approved/': ResourceList;
  readonly 'GET /api/v2/resources/facets/': {
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
  readonly 'GET /api/v2/resources/favorites/': ResourceList;
  readonly 'GET /api/v2/resources/featured/': ResourceList;
  readonly 'GET /api/v2/resources/followed/': ResourceList;
  readonly 'GET /api/v2/resources/matches/': {
    /** Nothing was guessed: the items have the words themselves. */
    readonly exact: boolean;
    readonly matches: ReadonlyArray<{
      readonly pk: string;
      readonly words: ReadonlyArray<string>;
      readonly terms: ReadonlyArray<string>;
    }>;
  };
  readonly 'GET /api/v2/resources/published/': ResourceList;
  readonly 'GET /api/v2/resources/resource_types/': {
    readonly resource_types: ReadonlyArray<string>;
  };
  readonly 'GET /api/v2/resources/{}/': {
    readonly resource: Resource;
  };
  readonly 'PUT /api/v2/resources/{}/': {
    readonly resource?: Resource;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'PATCH /api/v2/resources/{}/': {
    readonly resource?: Resource;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'DELETE /api/v2/resources/{}/': undefined;
  readonly 'GET /api/v2/resources/{}/assets/': ReadonlyArray<Asset>;
  readonly 'POST /api/v2/resources/{}/assets/': Asset;
  readonly 'DELETE /api/v2/resources/{}/assets/{}/': undefined;
  readonly 'GET /api/v2/resources/{}/audience/': Audience;
  readonly 'POST /api/v2/resources/{}/audience/': Audience;
  readonly 'GET /api/v2/resources/{}/comments/': {
    readonly comments: ReadonlyArray<Comment>;
    /** How many there are that nobody has hidden. */
    readonly total: number;
    readonly may_comment: boolean;
    /** Whether comments are written in this portal. */
    readonly is_open: boolean;
  };
  readonly 'POST /api/v2/resources/{}/comments/': Comment;
  readonly 'PATCH /api/v2/resources/{}/comments/{}/': Comment;
  readonly 'DELETE /api/v2/resources/{}/comments/{}/': undefined;
  readonly 'PUT /api/v2/resources/{}/copy/': {
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
  readonly 'DELETE /api/v2/resources/{}/delete/': undefined;
  readonly 'POST /api/v2/resources/{}/delete_thumbnail/': {
    readonly success: boolean;
    readonly thumbnail_url: string;
  };
  readonly 'POST /api/v2/resources/{}/favorite/': Readonly<Record<string, string>>;
  readonly 'DELETE /api/v2/resources/{}/favorite/': Readonly<Record<string, string>>;
  readonly 'GET /api/v2/resources/{}/follow/': Following;
  readonly 'POST /api/v2/resources/{}/follow/': Following;
  readonly 'DELETE /api/v2/resources/{}/follow/': Following;
  readonly 'GET /api/v2/resources/{}/get_perms/': Permissions;
  readonly 'GET /api/v2/resources/{}/keywords/': {
    readonly keywords: ReadonlyArray<EmbeddedKeyword>;
  };
  readonly 'GET /api/v2/resources/{}/linked_resources/': LinkedResources;
  readonly 'POST /api/v2/resources/{}/linked_resources/': ChangedLinks;
  readonly 'DELETE /api/v2/resources/{}/linked_resources/': ChangedLinks;
  readonly 'GET /api/v2/resources/{}/links/': {
    readonly links: ReadonlyArray<Link>;
  };
  readonly 'GET /api/v2/resources/{}/permissions/': PermissionLevels;
  readonly 'PUT /api/v2/resources/{}/permissions/': PermissionLevels | undefined;
  readonly 'PATCH /api/v2/resources/{}/permissions/': PermissionLevels | undefined;
  readonly 'DELETE /api/v2/resources/{}/permissions/': PermissionLevels | undefined;
  readonly 'GET /api/v2/resources/{}/rating/': Rating;
  readonly 'PUT /api/v2/resources/{}/rating/': Rating;
  readonly 'DELETE /api/v2/resources/{}/rating/': Rating;
  readonly 'GET /api/v2/resources/{}/regions/': {
    readonly regions: ReadonlyArray<EmbeddedRegion>;
  };
  readonly 'PUT /api/v2/resources/{}/set_perms/': SentPermissions;
  readonly 'PUT /api/v2/resources/{}/set_thumbnail/': {
    readonly success: boolean;
    readonly thumbnail_url: string;
  };
  readonly 'POST /api/v2/resources/{}/set_thumbnail_from_bbox/': {
    readonly success: boolean;
    readonly thumbnail_url: string;
  };
  readonly 'GET /api/v2/resources/{}/tkeywords/': {
    readonly tkeywords: ReadonlyArray<EmbeddedTkeyword>;
  };
  readonly 'GET /api/v2/resources/{}/used_by/': {
    readonly items: ReadonlyArray<{
      readonly id: number;
      readonly resource_type: "layer" | "map" | "document" | "geoapp" | "geostory";
      readonly title: string;
    }>;
    readonly total: number;
    readonly others: number;
  };
  readonly 'GET /api/v2/resources/{}/versions/': {
    readonly versions: ReadonlyArray<{
      readonly id: number;
      readonly part: "content" | "metadata" | "style";
      readonly style: string | null;
      readonly made: string;
      readonly by: string | null;
      readonly current: boolean;
    }>;
  };
  readonly 'GET /api/v2/resources/{}/versions/{}/': {
    readonly id: number;
    readonly part: "content" | "metadata" | "style";
    readonly style: string | null;
    readonly made: string;
    readonly by: string | null;
    readonly current: boolean;
    readonly style_id: number | null;
    readonly body: Readonly<Record<string, unknown>>;
  };
  readonly 'POST /api/v2/resources/{}/versions/{}/restore/': Updated;
  readonly 'POST /api/v2/resources/{}/views/': undefined;
  readonly 'GET /api/v2/schema/': Readonly<Record<string, unknown>>;
  readonly 'GET /api/v2/sessions/': {
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
  readonly 'DELETE /api/v2/sessions/': undefined;
  readonly 'DELETE /api/v2/sessions/{}/': undefined;
  readonly 'GET /api/v2/settings/': {
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
  readonly 'PATCH /api/v2/settings/': Updated;
  readonly 'POST /api/v2/sql/': {
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
  readonly 'GET /api/v2/status/': {
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
  readonly 'GET /api/v2/storage/': {
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
  readonly 'GET /api/v2/thesauri/': ThesaurusList;
  readonly 'POST /api/v2/thesauri/': {
    readonly thesaurus: Thesaurus;
    readonly meta?: Ignored;
  } | {
    readonly thesauri: ReadonlyArray<Thesaurus>;
    readonly meta?: Ignored;
  };
  readonly 'PATCH /api/v2/thesauri/': {
    readonly thesauri?: ReadonlyArray<Thesaurus>;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'DELETE /api/v2/thesauri/': undefined;
  readonly 'GET /api/v2/thesauri/{}/': {
    readonly thesaurus: Thesaurus;
  };
  readonly 'PUT /api/v2/thesauri/{}/': {
    readonly thesaurus?: Thesaurus;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'PATCH /api/v2/thesauri/{}/': {
    readonly thesaurus?: Thesaurus;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'DELETE /api/v2/thesauri/{}/': undefined;
  readonly 'GET /api/v2/tkeywords/': TkeywordList;
  readonly 'POST /api/v2/tkeywords/': {
    readonly tkeyword: Tkeyword;
    readonly meta?: Ignored;
  } | {
    readonly tkeywords: ReadonlyArray<Tkeyword>;
    readonly meta?: Ignored;
  };
  readonly 'PATCH /api/v2/tkeywords/': {
    readonly tkeywords?: ReadonlyArray<Tkeyword>;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'DELETE /api/v2/tkeywords/': undefined;
  readonly 'GET /api/v2/tkeywords/{}/': {
    readonly tkeyword: Tkeyword;
  };
  readonly 'PUT /api/v2/tkeywords/{}/': {
    readonly tkeyword?: Tkeyword;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'PATCH /api/v2/tkeywords/{}/': {
    readonly tkeyword?: Tkeyword;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'DELETE /api/v2/tkeywords/{}/': undefined;
  readonly 'GET /api/v2/upload-size-limits/': {
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
  readonly 'POST /api/v2/upload-size-limits/': {
    readonly 'upload-size-limit': {
      readonly slug: "dataset_upload_size" | "document_upload_size";
      readonly description: string;
      /** In bytes. */
      readonly max_size: number;
      readonly max_size_label: string;
    };
  };
  readonly 'GET /api/v2/upload-size-limits/{}/': {
    readonly 'upload-size-limit': {
      readonly slug: "dataset_upload_size" | "document_upload_size";
      readonly description: string;
      /** In bytes. */
      readonly max_size: number;
      readonly max_size_label: string;
    };
  };
  readonly 'PUT /api/v2/upload-size-limits/{}/': Updated;
  readonly 'PATCH /api/v2/upload-size-limits/{}/': Updated;
  readonly 'DELETE /api/v2/upload-size-limits/{}/': undefined;
  readonly 'GET /api/v2/uploads/': UploadList;
  readonly 'POST /api/v2/uploads/': {
    readonly upload: Upload;
    readonly meta?: Ignored;
  } | {
    readonly uploads: ReadonlyArray<Upload>;
    readonly meta?: Ignored;
  };
  readonly 'PATCH /api/v2/uploads/': {
    readonly uploads?: ReadonlyArray<Upload>;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'DELETE /api/v2/uploads/': undefined;
  readonly 'GET /api/v2/uploads/files/': {
    readonly files: ReadonlyArray<{
      readonly id: string;
      readonly name: string;
      readonly size: number;
      readonly mark: string;
      readonly received: number;
      readonly begun: string;
    }>;
  };
  readonly 'POST /api/v2/uploads/files/': undefined;
  readonly 'PATCH /api/v2/uploads/files/{}/': undefined;
  readonly 'DELETE /api/v2/uploads/files/{}/': undefined;
  readonly 'POST /api/v2/uploads/preview/': {
    readonly success: boolean;
    readonly preview: {
      readonly format: string;
      readonly charset: string;
      readonly delimiter: string;
      readonly decimal: "." | ",";
      /** The row with the names; 0: none has them. */
      readonly header: number;
      readonly rows: number;
      /** The table is longer than what was looked at. */
      readonly isPart: boolean;
      readonly places: "columns" | "geometries" | "none" | "unknown";
      readonly placed: ReadonlyArray<string>;
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
  readonly 'POST /api/v2/uploads/upload/': AcceptedUpload;
  readonly 'PUT /api/v2/uploads/upload/': AcceptedUpload;
  readonly 'GET /api/v2/uploads/{}/': {
    readonly upload: Upload;
  };
  readonly 'PUT /api/v2/uploads/{}/': {
    readonly upload?: Upload;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'PATCH /api/v2/uploads/{}/': {
    readonly upload?: Upload;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'DELETE /api/v2/uploads/{}/': undefined;
  readonly 'POST /api/v2/uploads/{}/answer/': AcceptedUpload;
  readonly 'POST /api/v2/uploads/{}/files/': AcceptedUpload;
  readonly 'PUT /api/v2/uploads/{}/files/': AcceptedUpload;
  readonly 'POST /api/v2/uploads/{}/retry/': AcceptedUpload;
  readonly 'GET /api/v2/uploads/{}/uploadfile_set/': {
    readonly upload_files: ReadonlyArray<UploadFile>;
  };
  readonly 'GET /api/v2/users/': UserList;
  readonly 'POST /api/v2/users/': {
    readonly user: User;
    readonly meta?: Ignored;
  } | {
    readonly users: ReadonlyArray<User>;
    readonly meta?: Ignored;
  };
  readonly 'PATCH /api/v2/users/': {
    readonly users?: ReadonlyArray<User>;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'DELETE /api/v2/users/': undefined;
  readonly 'GET /api/v2/users/{}/': {
    readonly user: User;
  };
  readonly 'PUT /api/v2/users/{}/': {
    readonly user?: User;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'PATCH /api/v2/users/{}/': {
    readonly user?: User;
    readonly meta: NonNullable<Updated['meta']>;
  };
  readonly 'DELETE /api/v2/users/{}/': undefined;
  readonly 'GET /api/v2/users/{}/follow/': Following;
  readonly 'POST /api/v2/users/{}/follow/': Following;
  readonly 'DELETE /api/v2/users/{}/follow/': Following;
  readonly 'GET /api/v2/users/{}/groups/': ReadonlyArray<GroupProfile>;
  readonly 'POST /api/v2/users/{}/hand_over/': Updated;
  readonly 'PUT /api/v2/users/{}/password/': Updated;
  readonly 'PUT /api/v2/users/{}/quota/': Updated;
  readonly 'GET /api/v2/users/{}/resources/': ReadonlyArray<Resource>;
  readonly 'GET /api/v2/users/{}/rules/': {
    readonly rules: ReadonlyArray<Readonly<Record<string, unknown>>>;
  };
  readonly 'DELETE /api/v2/users/{}/second-factor/': undefined;
  readonly 'GET /mapviewer/rest/resources/': ReadonlyArray<ViewerResource>;
  readonly 'POST /mapviewer/rest/resources/': ViewerResource;
  readonly 'GET /mapviewer/rest/resources/{}/': ViewerResource;
  readonly 'PUT /mapviewer/rest/resources/{}/': ViewerResource;
  readonly 'PATCH /mapviewer/rest/resources/{}/': ViewerResource;
  readonly 'DELETE /mapviewer/rest/resources/{}/': undefined;
  readonly 'GET /mapviewer/rest/users/': ReadonlyArray<ViewerUser>;
  readonly 'POST /mapviewer/rest/users/': ViewerUser;
  readonly 'GET /mapviewer/rest/users/{}/': ViewerUser;
  readonly 'PUT /mapviewer/rest/users/{}/': ViewerUser;
  readonly 'PATCH /mapviewer/rest/users/{}/': ViewerUser;
  readonly 'DELETE /mapviewer/rest/users/{}/': undefined;
  readonly 'GET /o/userinfo/': {
    readonly sub: string;
    readonly name?: string;
    readonly given_name?: string;
    readonly family_name?: string;
    readonly email?: string;
    readonly email_verified?: boolean;
    readonly preferred_username: string;
    readonly groups?: ReadonlyArray<string>;
  };
  readonly 'GET /ogc/jobs': {
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
  readonly 'GET /ogc/jobs/{}': {
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
  readonly 'DELETE /ogc/jobs/{}': {
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
  readonly 'GET /ogc/jobs/{}/results': {
    readonly layer: {
      readonly id: number;
      readonly href: string;
      readonly type: string;
      readonly rel: string;
      readonly title: string;
    };
  };
  readonly 'GET /ogc/processes': {
    readonly processes: ReadonlyArray<{
      readonly id: string;
      readonly title: string;
      readonly description: string;
      readonly version: string;
      readonly jobControlOptions: ReadonlyArray<string>;
      readonly outputTransmission: ReadonlyArray<string>;
      readonly links: ReadonlyArray<Readonly<Record<string, unknown>>>;
    }>;
    readonly links: ReadonlyArray<Readonly<Record<string, unknown>>>;
  };
  readonly 'GET /ogc/processes/{}': {
    readonly id: string;
    readonly title: string;
    readonly description: string;
    readonly version: string;
    readonly jobControlOptions: ReadonlyArray<string>;
    readonly outputTransmission: ReadonlyArray<string>;
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
  readonly 'POST /ogc/processes/{}/execution': {
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
  readonly 'POST /ogc/processes/{}/preview': Readonly<Record<string, unknown>>;
  readonly 'GET /records': {
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
  readonly 'GET /records/collections': {
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
  readonly 'GET /records/collections/{}': {
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
  readonly 'GET /records/conformance': {
    readonly conformsTo: ReadonlyArray<string>;
  };
  readonly 'GET /stac': {
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
  readonly 'GET /stac/collections': {
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
  readonly 'GET /stac/collections/{}': {
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
  readonly 'GET /stac/conformance': {
    readonly conformsTo: ReadonlyArray<string>;
  };
  readonly 'GET /upload/final': UploadResult;
  readonly 'POST /upload/final': UploadResult;
  readonly 'PUT /upload/final': UploadResult;
  readonly 'GET /upload/progress': {
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
