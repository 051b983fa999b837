-- Nobody but those named here.
revoke all on portal.resource, portal.favourite
  from public, survest_anon, survest_user, survest_admin, survest_authenticator;

-- Read: everything that the API shows. Not `viewers` and the like, which tell who else may see an item.
grant select (
    id, resource_type, owner_id, group_id, metadata_only, dirty, is_approved, is_published, featured, popular_count, share_count, rating,
    created, last_updated, date, temporal_extent_start, temporal_extent_end, uuid, poc_id, metadata_author_id, restriction_code_type_id,
    license_id, category_id, spatial_representation_type_id, title, abstract, attribution, doi, alternate, date_type, edition, purpose,
    maintenance_frequency, constraints_other, language, supplemental_information, data_quality_statement, srid, thumbnail_url, name,
    workspace, store, store_type, charset, is_mosaic, has_time, has_elevation, time_regex, elevation_regex,
    use_featureinfo_custom_template, featureinfo_custom_template, popup, default_filter, default_style_id, zoom, projection, center_x, center_y, urlsuffix,
    featuredurl, app_type, doc_type, extension, mime_type, doc_url, bbox_polygon, ll_bbox_polygon, is_tabular, is_registered, remote,
    rating_count, rating_average, comment_count) on portal.resource
  to survest_anon, survest_user, survest_admin;
grant insert (
    resource_type, owner_id, group_id, is_approved, is_published, featured, date, temporal_extent_start, temporal_extent_end,
    restriction_code_type_id, license_id, category_id, spatial_representation_type_id, title, abstract, attribution, doi, date_type,
    edition, purpose, maintenance_frequency, constraints_other, language, supplemental_information, data_quality_statement, srid,
    thumbnail_url, name, workspace, store, store_type, charset, is_mosaic, has_time, has_elevation, time_regex, elevation_regex,
    use_featureinfo_custom_template, featureinfo_custom_template, zoom, projection, center_x, center_y, urlsuffix, featuredurl, app_type,
    doc_type, extension, mime_type, doc_url, bbox_polygon, ll_bbox_polygon), update (
    owner_id, group_id, is_approved, is_published, featured, date, temporal_extent_start, temporal_extent_end, restriction_code_type_id,
    license_id, category_id, spatial_representation_type_id, title, abstract, attribution, doi, date_type, edition, purpose,
    maintenance_frequency, constraints_other, language, supplemental_information, data_quality_statement, srid, thumbnail_url, name,
    is_mosaic, has_time, has_elevation, time_regex, elevation_regex, use_featureinfo_custom_template, featureinfo_custom_template,
    popup, default_filter, default_style_id, zoom, projection, center_x, center_y, urlsuffix, featuredurl, app_type, doc_type, extension, mime_type, doc_url,
    bbox_polygon, ll_bbox_polygon) on portal.resource
  to survest_user;
grant delete on portal.resource to survest_user, survest_admin;
-- Administrators, and the service's workers who run as such, also keep what follows from stored data.
grant insert (
    resource_type, owner_id, group_id, dirty, is_approved, is_published, featured, created, last_updated, date, temporal_extent_start,
    temporal_extent_end, uuid, poc_id, metadata_author_id, restriction_code_type_id, license_id, category_id,
    spatial_representation_type_id, title, abstract, attribution, doi, date_type, edition, purpose, maintenance_frequency,
    constraints_other, language, supplemental_information, data_quality_statement, srid, thumbnail_url, name, workspace, store,
    store_type, charset, is_mosaic, has_time, has_elevation, time_regex, elevation_regex, use_featureinfo_custom_template,
    featureinfo_custom_template, zoom, projection, center_x, center_y, urlsuffix, featuredurl, app_type, doc_type, extension, mime_type,
    doc_url, bbox_polygon, ll_bbox_polygon), update (
    owner_id, group_id, dirty, is_approved, is_published, featured, popular_count, share_count, rating, date, temporal_extent_start,
    temporal_extent_end, poc_id, metadata_author_id, restriction_code_type_id, license_id, category_id, spatial_representation_type_id,
    title, abstract, attribution, doi, date_type, edition, purpose, maintenance_frequency, constraints_other, language,
    supplemental_information, data_quality_statement, srid, thumbnail_url, name, store, store_type, charset, is_mosaic, has_time,
    has_elevation, time_regex, elevation_regex, use_featureinfo_custom_template, featureinfo_custom_template, popup, default_filter, default_style_id, zoom,
    projection, center_x, center_y, urlsuffix, featuredurl, app_type, doc_type, extension, mime_type, doc_url, bbox_polygon,
    ll_bbox_polygon) on portal.resource
  to survest_admin;
-- Who sees an item.
create policy seen on portal.resource
  for all to survest_anon, survest_user, survest_admin
  using ((is_public or viewers && (select portal.my_principals()))
    and (obstacles & (select portal_private.rules()) = 0 or portal_private.excused(id, owner_id, private_group, obstacles)));
create policy seen_by_admins on portal.resource
  for all to survest_admin
  using (obstacles & 32 = 0 and (select portal.is_admin()));

grant select, insert (account_id, resource_id), delete on portal.favourite to survest_user, survest_admin;
create policy own on portal.favourite for all to survest_user, survest_admin
  using (account_id = (select portal.me()) and exists (select from portal.resource r where r.id = resource_id))
  with check (account_id = (select portal.me()) and (select portal.writable())
    and exists (select from portal.resource r where r.id = resource_id));
