// Functions that expressions in the tables of layers may call when a backup is put back: they compute from their arguments, and neither read nor write
// anything else. Expressions run with the rights of whoever restores, often the database's superuser.

/** Of PostgreSQL. */
export const PLAIN_FUNCTIONS: ReadonlySet<string> = new Set(
  `abs acos age array_append array_cat array_dims array_length array_lower array_ndims array_position array_prepend array_remove array_replace
  array_to_json array_to_string array_upper ascii asin atan atan2 bit_length btrim cardinality cbrt ceil ceiling char_length character_length chr
  clock_timestamp coalesce concat concat_ws convert_from convert_to cos cot date date_bin date_part date_trunc decode degrees div encode exp extract
  factorial floor format gcd gen_random_uuid get_byte greatest initcap int4range int8range isempty isfinite json_array_length json_build_array
  json_build_object json_extract_path json_extract_path_text json_typeof jsonb_array_length jsonb_build_array jsonb_build_object jsonb_extract_path
  jsonb_extract_path_text jsonb_path_exists jsonb_set jsonb_strip_nulls jsonb_typeof justify_days justify_hours justify_interval lcm least left length
  ln localtimestamp log log10 lower lower_inc lower_inf lpad ltrim make_date make_interval make_time make_timestamp make_timestamptz md5 min_scale mod
  multirange nextval now nullif num_nonnulls num_nulls numnode numrange octet_length overlay phraseto_tsquery pi plainto_tsquery position power
  quote_ident quote_literal quote_nullable radians random range_merge regexp_count regexp_like regexp_match regexp_replace regexp_substr repeat replace
  reverse right round rpad rtrim scale setweight sha224 sha256 sha384 sha512 sign similar_to_escape sin split_part sqrt starts_with statement_timestamp
  string_to_array strip strpos substr substring tan text timezone to_char to_date to_hex to_json to_jsonb to_number to_timestamp to_tsquery to_tsvector
  transaction_timestamp translate trim trim_scale trunc tsrange tstzrange daterange unaccent upper upper_inc upper_inf websearch_to_tsquery width_bucket`.split(
    /\s+/,
  ),
);

/** Of PostGIS, in whichever schema it is. */
export const GEOMETRY_FUNCTIONS: ReadonlySet<string> = new Set(
  `box2d box3d geography geometry geometrytype st_area st_asbinary st_asewkt st_asgeojson st_astext st_azimuth st_boundary st_buffer st_centroid
  st_closestpoint st_contains st_convexhull st_coorddim st_coveredby st_covers st_crosses st_dimension st_disjoint st_distance st_dwithin st_endpoint
  st_envelope st_equals st_exteriorring st_expand st_flipcoordinates st_force2d st_force3d st_force3dz st_forcepolygonccw st_forcepolygoncw st_geogfromtext
  st_geohash st_geometryfromtext st_geometryn st_geometrytype st_geomfromewkt st_geomfromgeojson st_geomfromtext st_geomfromwkb st_hasm st_hasz
  st_intersects st_isclosed st_isempty st_isring st_issimple st_isvalid st_isvalidreason st_length st_linefromtext st_m st_makeenvelope st_makeline
  st_makepoint st_makepolygon st_makevalid st_mmax st_mmin st_multi st_ndims st_normalize st_npoints st_numgeometries st_numinteriorrings st_numpoints
  st_overlaps st_perimeter st_point st_pointfromtext st_pointn st_pointonsurface st_polygonfromtext st_quantizecoordinates st_reduceprecision st_relate
  st_reverse st_segmentize st_setsrid st_simplify st_simplifypreservetopology st_snaptogrid st_srid st_startpoint st_swapordinates st_touches
  st_transform st_translate st_within st_x st_xmax st_xmin st_y st_ymax st_ymin st_z st_zmax st_zmflag st_zmin`.split(
    /\s+/,
  ),
);

/** Words that stand before a bracket and call nothing, and types with a length. */
export const NO_FUNCTIONS: ReadonlySet<string> = new Set(
  `all and any array as between bit bpchar brin btree by case cast char character check collate decimal default distinct else exclude from gin gist hash ilike in
  include interval is key like list not null nulls numeric on or precision primary range row similar some spgist symmetric then time timestamp timestamptz timetz
  to unique using values varbit varchar varying when where with`.split(/\s+/),
);
