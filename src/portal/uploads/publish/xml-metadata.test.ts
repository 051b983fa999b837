import { expect, test } from 'vitest';
import { parseDescription } from './xml-metadata.ts';

test('a description by ISO 19139', () => {
  const xml = `<?xml version="1.0"?>
    <gmd:MD_Metadata xmlns:gmd="http://www.isotc211.org/2005/gmd" xmlns:gco="http://www.isotc211.org/2005/gco">
      <gmd:language><gmd:LanguageCode codeListValue="ger"/></gmd:language>
      <gmd:identificationInfo><gmd:MD_DataIdentification>
        <gmd:citation><gmd:CI_Citation><gmd:title><gco:CharacterString>Rivers &amp; lakes</gco:CharacterString></gmd:title></gmd:CI_Citation></gmd:citation>
        <gmd:abstract><gco:CharacterString>
           All of
           them</gco:CharacterString></gmd:abstract>
        <gmd:descriptiveKeywords><gmd:MD_Keywords>
          <gmd:keyword><gco:CharacterString>water</gco:CharacterString></gmd:keyword>
          <gmd:keyword><gco:CharacterString>water</gco:CharacterString></gmd:keyword>
          <gmd:keyword><gco:CharacterString>nature</gco:CharacterString></gmd:keyword>
          <gmd:thesaurusName><gmd:CI_Citation><gmd:title><gco:CharacterString>GEMET</gco:CharacterString></gmd:title></gmd:CI_Citation></gmd:thesaurusName>
        </gmd:MD_Keywords></gmd:descriptiveKeywords>
        <gmd:descriptiveKeywords><gmd:MD_Keywords>
          <gmd:keyword><gco:CharacterString>Germany</gco:CharacterString></gmd:keyword>
          <gmd:type><gmd:MD_KeywordTypeCode codeListValue="place"/></gmd:type>
        </gmd:MD_Keywords></gmd:descriptiveKeywords>
        <gmd:topicCategory><gmd:MD_TopicCategoryCode>inlandWaters</gmd:MD_TopicCategoryCode></gmd:topicCategory>
      </gmd:MD_DataIdentification></gmd:identificationInfo>
    </gmd:MD_Metadata>`;
  expect(parseDescription(xml)).toEqual({
    title: 'Rivers & lakes',
    abstract: 'All of them',
    language: 'ger',
    category: 'inlandWaters',
    keywords: ['water', 'nature'],
    places: ['Germany'],
  });
});

test('a description by FGDC', () => {
  const xml = `<metadata><idinfo><citation><citeinfo><title>Roads</title><edition>2</edition></citeinfo></citation>
    <descript><abstract><![CDATA[Streets <b>too</b>]]></abstract><purpose>Maps</purpose></descript>
    <keywords><theme><themekey>transport</themekey></theme><place><placekey>Bern</placekey></place></keywords></idinfo></metadata>`;
  expect(parseDescription(xml)).toEqual({
    title: 'Roads',
    edition: '2',
    abstract: 'Streets <b>too</b>',
    purpose: 'Maps',
    keywords: ['transport'],
    places: ['Bern'],
  });
});

test.each([
  ['entities', '<!DOCTYPE m [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><metadata><idinfo>&b;</idinfo></metadata>'],
  ['an external entity', '<!DOCTYPE m [<!ENTITY a SYSTEM "file:///etc/passwd">]><metadata>&a;</metadata>'],
  ['an unknown entity', '<metadata>&xxe;</metadata>'],
  ['half of it', '<metadata><idinfo>'],
  ['words', 'hello'],
  ['depth', '<a>'.repeat(10_000)],
])('%s is none', (_what, xml) => {
  expect(parseDescription(xml)).toBeUndefined();
});

test('fields are cut to what the catalogue takes', () => {
  const xml = `<metadata><idinfo><citation><citeinfo><title>${'x'.repeat(5000)}</title></citeinfo></citation></idinfo></metadata>`;
  expect(parseDescription(xml)?.title).toHaveLength(255);
});
