"""The oracle of numbers of persons: python-stdnum's modules by kind, their documented examples, and random numbers."""

import random
import re
from functools import cache
from importlib import import_module
from typing import Any, Final

from querymix.core.identifiers.recognizers.national import SCHEMES
from querymix.core.identifiers.recognizers.national.scheme import Scheme

MODULES: Final = {
    "ad_nrt": "ad.nrt", "al_nipt": "al.nipt", "at_tin": "at.tin", "at_uid": "at.uid", "at_vnr": "at.vnr",
    "az_voen": "az.voen", "be_bis": "be.bis", "be_eid": "be.eid", "be_nn": "be.nn", "bg_egn": "bg.egn",
    "bg_pnf": "bg.pnf", "by_unp": "by.unp", "ch_ahv": "ch.ssn", "ch_uid": "ch.uid", "cy_tic": "cy.vat",
    "cz_dic": "cz.dic", "cz_rc": "cz.rc", "de_idnr": "de.idnr", "de_stnr": "de.stnr", "de_vat": "de.vat",
    "dk_cpr": "dk.cpr", "ee_ik": "ee.ik", "es_dni": "es.dni", "es_nie": "es.nie", "es_nif": "es.nif",
    "es_vat": "es.nif", "fi_hetu": "fi.hetu", "fi_veronumero": "fi.veronumero", "fo_vn": "fo.vn", "fr_nif": "fr.nif",
    "fr_nir": "fr.nir", "gb_nhs": "gb.nhs", "gb_upn": "gb.upn", "gb_utr": "gb.utr", "gr_afm": "gr.vat",
    "gr_amka": "gr.amka", "hr_oib": "hr.oib", "hu_anum": "hu.anum", "ie_pps": "ie.pps", "ie_vat": "ie.vat",
    "is_kennitala": "is_.kennitala", "it_fiscal_code": "it.codicefiscale", "it_iva": "it.iva", "li_peid": "li.peid",
    "lt_asmens": "lt.asmens", "lv_pvn": "lv.pvn", "md_idnp": "md.idno", "me_pib": "me.pib", "mk_edb": "mk.edb",
    "mt_vat": "mt.vat", "nl_bsn": "nl.bsn", "nl_btw": "nl.btw", "nl_document": "nl.identiteitskaartnummer",
    "nl_onderwijsnummer": "nl.onderwijsnummer", "no_fnr": "no.fodselsnummer", "pl_nip": "pl.nip",
    "pl_pesel": "pl.pesel", "pt_cc": "pt.cc", "pt_nif": "pt.nif", "ro_cnp": "ro.cnp", "ro_cui": "ro.cf",
    "rs_pib": "rs.pib", "ru_inn": "ru.inn", "ru_ogrn": "ru.ogrn", "se_pnr": "se.personnummer", "si_ddv": "si.ddv",
    "si_emso": "si.emso", "sk_dph": "sk.dph", "sk_rc": "sk.rc", "sm_coe": "sm.coe", "tr_tckn": "tr.tckimlik",
    "tr_vkn": "tr.vkn", "ua_rnokpp": "ua.rntrc",
    # the rest of the world
    "ar_cuil": "ar.cuit", "ar_dni": "ar.dni", "au_tfn": "au.tfn", "br_cnpj": "br.cnpj", "br_cpf": "br.cpf",
    "ca_phn": "ca.bc_phn", "ca_sin": "ca.sin", "cl_rut": "cl.rut", "co_nit": "co.nit",
    "cr_cpf": "cr.cpf", "cr_cr": "cr.cr", "cu_ni": "cu.ni", "do_cedula": "do.cedula", "dz_nif": "dz.nif",
    "ec_ci": "ec.ci", "eg_tn": "eg.tn", "gh_tin": "gh.tin", "gn_nifp": "gn.nifp", "gt_nit": "gt.nit",
    "id_nik": "id.nik", "id_npwp": "id.npwp", "il_idnr": "il.idnr", "in_aadhaar": "in_.aadhaar", "in_epic": "in_.epic",
    "in_pan": "in_.pan", "jp_in": "jp.in_", "ke_pin": "ke.pin", "kr_rrn": "kr.rrn", "ma_ice": "ma.ice",
    "mx_curp": "mx.curp", "mx_rfc": "mx.rfc", "my_nric": "my.nric", "mz_nuit": "mz.nuit",
    "nz_ird": "nz.ird", "pe_cui": "pe.cui", "pe_ruc": "pe.ruc", "pk_cnic": "pk.cnic", "py_ruc": "py.ruc",
    "sn_ninea": "sn.ninea", "sv_nit": "sv.nit", "th_pin": "th.tin", "tn_mf": "tn.mf", "us_ptin": "us.ptin",
    "uy_rut": "uy.rut", "ve_rif": "ve.rif", "vn_mst": "vn.mst", "za_id": "za.idnr", "za_tin": "za.tin",
}  # fmt: skip
"""The module of python-stdnum that says of a kind what is right."""
OWN: Final = {
    "am_ssn": ["2604850123"], "ba_jmbg": ["1503985170008"], "by_pin": ["4240387A001PB7"],
    "de_kvnr": ["A123456780"], "es_nss": ["28/12345678/40"], "pt_niss": ["12345678902"],
    "de_rvnr": ["65 170839 J 003"], "fo_ptal": ["240375-123"], "gb_nino": ["AB 12 34 56 C"],
    "ge_pin": ["01234567891"],
    "hu_adoazonosito": ["8325270012"], "hu_taj": ["111 111 110"], "lu_matricule": ["1983081212374"],
    "lv_pk": ["161175-19997", "328673-00679"], "me_jmbg": ["1503985210000"], "mk_embg": ["1503985410009"],
    "mt_id": ["1234567M"], "rs_jmbg": ["1503985710002"], "ru_snils": ["112-233-445 95"],
    # the rest of the world
    "ae_id": ["784-1980-1234567-1"], "au_medicare": ["2123 45670 1", "2123-45670-1", "2123 45670 1/2"],
    "bd_nid": ["2696406437", "2696 406 437"], "bo_ci": ["4521367"], "br_pis": ["120.56412.54-5"],
    "br_rg": ["24.678.131-4"], "br_sus": ["952 5481 4542 1247"], "br_voter": ["1436 9564 0795"],
    "ca_ohip": ["9131-778-053", "8110-744-672-GL"], "ca_ramq": ["DYBK 4756 0930"],
    "cn_resident_id": ["11010519491231002X"], "co_cc": ["79.482.613"],
    "eg_id": ["24008262352587"], "gh_card": ["GHA-123456789-0"], "gt_dpi": ["7026 81539 0933"],
    "hk_hkid": ["A123456(3)", "AB987654(3)", "a1234563", "G123456(A)"], "hn_dni": ["0801-1990-12345"],
    "ir_code": ["3489325281"], "jm_trn": ["123-456-790"], "kw_civil": ["274010279365"], "kz_iin": ["530527585989"],
    "lk_nic": ["752221762V", "206835031523"], "mo_bir": ["1523408(7)"], "ma_cin": ["BK123456"], "tn_cin": ["08123457"],
    "mu_nid": ["K280681000912A"],
    "ng_nin": ["58612394701"],
    "ni_cedula": ["576-010790-6266M"], "nz_nhi": ["ZAC5361", "ZBN77VL"], "pa_cedula": ["8-123-4567"],
    "ph_id": ["34-1234567-8", "1234-5678-9013", "12-345678901-2"], "plan": ["1EG4-TE5-MK73", "1EG4TE5MK73"],
    "plate": ["KA 05 MH 1234", "KA05MH1234", "DL-01-AB-1234", "MH12DE1433", "22 BH 6403 F"], "qa_qid": ["28763400123"],
    "rw_id": ["1 1978 8 0440220 1 36"], "sa_id": ["1160717193"],
    "sg_nric": ["S1234567D", "T1234567J", "F1234567N", "G1234567X", "M1234567K"], "sv_dui": ["00016297-5"],
    "tw_id": ["A123456789"], "tz_nida": ["19900320-14121-00001-23"], "ug_nin": ["CM571801042964"],
    "uy_ci": ["1.234.567-2"], "uz_pinfl": ["31510897230325"], "ve_cedula": ["V-12.345.678", "V12345678"],
    "vn_cccd": ["083042715724"], "zm_nrc": ["123456/78/1"],
}  # fmt: skip
"""Made-up numbers of the kinds that it has not."""
_CALL: Final = re.compile(r"(?:validate|format|compact|is_valid|info|get_\w+|to_\w+|convert)\(\s*'([^']*)'")


@cache
def oracle(kind: str) -> Any:
    """Return the module of a kind."""
    return import_module(f"stdnum.{MODULES[kind]}")


@cache
def examples(kind: str) -> tuple[str, ...]:
    """Return the right numbers of a kind that its module documents, as they are written there and by its `format`."""
    if kind not in MODULES:
        return tuple(OWN[kind])
    module = oracle(kind)
    found = [text.strip() for text in _CALL.findall(module.__doc__)]
    right = [text for text in found if module.is_valid(text)]
    if hasattr(module, "format"):
        right += [module.format(text) for text in right]
    return tuple(dict.fromkeys(right))


KINDS: Final = tuple(dict.fromkeys(one.kind for one in SCHEMES))
DIGITS: Final = "0123456789"
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


def drawn(places: str, draw: random.Random) -> str:
    """Return a random string of a shape."""
    signs = {"d": DIGITS, "l": LETTERS, "x": DIGITS + LETTERS}
    return "".join([draw.choice(signs[place]) for place in places])


def rows(kind: str) -> list[Scheme]:
    """Return the rows of a kind."""
    return [one for one in SCHEMES if one.kind == kind]
